-- Times of day by which a task, or all tasks of a type, have to be ready, each with its latest forecast.
create table ready_by (
  id int generated always as identity primary key,
  task_id int unique references tasks on delete cascade,
  task_type_id int unique references task_types on delete cascade,
  ready_by text not null check (ready_by ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  -- When the forecast was made; null: not yet.
  forecast_at timestamptz,
  -- The next occurrence of the time of day.
  deadline timestamptz,
  -- When the last run before the deadline ends, by median durations and by 90th percentiles; null: no run is expected.
  ready_at timestamptz,
  ready_at_worst timestamptz,
  is_late boolean not null default false,
  reason text not null default '',
  suggestion text not null default '',
  updated_at timestamptz not null default now(),
  check (num_nonnulls(task_id, task_type_id) = 1)
);
