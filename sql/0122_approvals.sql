-- Decisions on what needs an approval: rows of an ingest, a run beyond a limit, cells that a task does not own. What waits follows from
-- tasks, runs and plans. A rejected one is not listed again until `content` differs.
create table approval_decisions (
  id int generated always as identity primary key,
  task_id int not null references tasks on delete cascade,
  kind text not null
    constraint approval_decisions_kind_check check (kind in ('ingest_below_minimum', 'run_beyond_limit', 'unowned_cells')),
  -- Identifies the rows or cells, whichever run has found them.
  content text not null,
  is_approved boolean not null,
  reason text not null,
  user_id int references users on delete set null,
  decided_by text not null,
  at timestamptz not null default now()
);
create index approval_decisions_task_idx on approval_decisions (task_id, kind, content);
create index approval_decisions_at_idx on approval_decisions (at desc);
create index approval_decisions_user_idx on approval_decisions (user_id);
