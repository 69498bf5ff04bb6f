-- What a run tells those who watch it: what it waits for while it is at work, and what it leaves to be looked at.
alter table runs
  -- {for, …, until}; null: it waits for nothing.
  add column wait jsonb,
  -- [{id, message}]; those with the same id are about the same thing.
  add column warnings jsonb not null default '[]';

-- Warnings that a person has seen: later runs with nothing else are a Success. Forgotten when a run ends well without them.
create table acknowledged_warnings (
  task_id int not null references tasks on delete cascade,
  warning_id text not null,
  acknowledged_by text not null,
  acknowledged_at timestamptz not null default now(),
  primary key (task_id, warning_id)
);

-- Runs kept them in their checkpoints so far.
update runs set warnings = (
  select jsonb_agg(jsonb_build_object('id', md5(concern.text), 'message', concern.text))
  from jsonb_array_elements_text(checkpoint -> 'concerns') as concern (text)
)
where jsonb_typeof(checkpoint -> 'concerns') = 'array' and jsonb_array_length(checkpoint -> 'concerns') > 0
  and state in ('queued', 'running', 'stopping', 'warning');

drop trigger runs_announce_update on runs;
create trigger runs_announce_update after update on runs for each row
  when ((old.state, old.phase, old.rows_done, old.rows_total, old.wait, old.warnings)
    is distinct from (new.state, new.phase, new.rows_done, new.rows_total, new.wait, new.warnings))
  execute function announce_run();
