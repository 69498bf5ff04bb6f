-- Plans: what a run of a sync task would change in its target, or has changed.

-- A preview makes a plan and writes nothing. It may be live beside a run of the same task.
alter table runs add column is_preview boolean not null default false;
drop index runs_live_task_key;
create unique index runs_live_task_key on runs (task_id) where state in ('queued', 'running', 'stopping') and not is_preview;

create table plans (
  id int generated always as identity primary key,
  -- Identifies the plan in calls, hexadecimal.
  hash text not null constraint plans_hash_key unique,
  task_id int not null references tasks on delete cascade,
  -- The preview or the run that made it.
  run_id int not null references runs on delete cascade,
  -- The rows that the target is to hold, and those that it held; null after they were removed.
  wanted_snapshot_id int references snapshots on delete set null,
  former_snapshot_id int references snapshots on delete set null,
  -- Hash of the target's rows as they were read; the plan is outdated when the target has another one.
  target_hash text not null,
  -- The target and the settings that decide where it is written.
  target jsonb not null,
  -- Bit set of the rows that differ, counted from the header row.
  differing bytea not null,
  -- Null until somebody needs it.
  summary jsonb,
  created_at timestamptz not null default now(),
  -- Until when it can be applied; null: it was applied by the run that made it.
  expires_at timestamptz,
  -- When a run found that the target differs from what the plan saw.
  outdated_at timestamptz
);
create index plans_task_idx on plans (task_id, id desc);
create index plans_run_idx on plans (run_id);
create index plans_wanted_idx on plans (wanted_snapshot_id);
create index plans_former_idx on plans (former_snapshot_id);

-- The rows of a plan, in the order in which they are shown. Their cells are those of the two snapshots.
create table plan_rows (
  plan_id int not null references plans on delete cascade,
  position int not null,
  kind text not null constraint plan_rows_kind_check check (kind in ('removed', 'changed', 'added', 'moved')),
  -- Row numbers in the former and in the wanted rows, counted from the header row.
  old_row int,
  new_row int,
  -- Cells of the row that differ; those of removed and added rows are the filled ones.
  cells int not null,
  primary key (plan_id, position)
);
create index plan_rows_kind_idx on plan_rows (plan_id, kind, position);
