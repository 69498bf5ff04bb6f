-- A target spreadsheet, too, can have a time of day by which it has to be ready. Each forecast says what it is made of.
alter table ready_by
  add column spreadsheet_id text unique,
  -- Active tasks; those among them with recent successful runs, and the number of these runs.
  add column tasks int not null default 0,
  add column measured_tasks int not null default 0,
  add column measured_runs int not null default 0,
  -- When all tasks have already ended successfully and none runs again before the deadline.
  add column is_ready boolean not null default false,
  -- Schedules that would make late tasks ready in time: [{"ids": [1, 2], "scheduled_times": ["05:10"]}].
  add column moves jsonb not null default '[]',
  drop constraint ready_by_check,
  add constraint ready_by_subject_check check (num_nonnulls(task_id, task_type_id, spreadsheet_id) = 1);
