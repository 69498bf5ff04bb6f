-- Task types and tasks. `tasks` is what the engine knows of every task; what a task does is
-- in the table of its category (sync_tasks, …), so that all categories share one id sequence.

-- What a compile merges, by name; `internal` sync tasks copy its records.
create table compiler_configs (
  id int generated always as identity primary key,
  name text not null constraint compiler_configs_name_key unique,
  description text not null default '',
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table task_types (
  id int generated always as identity primary key,
  category text not null constraint task_types_category_check check (category in ('sync', 'source', 'compiler')),
  name text not null,
  description text not null default '',
  group_name text not null default '',
  cron_schedule text,
  allowed_concurrent_tasks int not null default 1 check (allowed_concurrent_tasks >= 1),
  priority int not null default 0,
  queue_delay_seconds int not null default 0 check (queue_delay_seconds >= 0),
  max_retries int not null default 3 check (max_retries >= 0),
  retry_delay_seconds int not null default 60 check (retry_delay_seconds >= 0),
  timeout_minutes int check (timeout_minutes between 1 and 1440),
  chunk_size int not null check (chunk_size >= 1),
  sort_order int not null default 0,
  is_active boolean not null default true,
  compiler_config_id int constraint task_types_compiler_config_fkey references compiler_configs,
  -- Moment of the last admission in this type: queue_delay_seconds counts from it.
  last_admitted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint task_types_category_name_key unique (category, name)
);

create table task_type_dependencies (
  task_type_id int not null references task_types on delete cascade,
  depends_on_id int not null constraint task_type_dependencies_depends_on_fkey references task_types,
  condition text not null check (condition in ('success', 'completion')),
  position int not null,
  primary key (task_type_id, depends_on_id),
  constraint task_type_dependencies_self_check check (task_type_id <> depends_on_id)
);
create index task_type_dependencies_depends_on_idx on task_type_dependencies (depends_on_id);

create table tasks (
  id int generated always as identity primary key,
  category text not null constraint tasks_category_check check (category in ('sync', 'source', 'compiler')),
  task_type_id int constraint tasks_task_type_fkey references task_types,
  name text not null,
  sort_order int not null,
  is_active boolean not null default true,
  created_by int references users on delete set null,
  -- Pointers kept by the engine, so that a list of tasks reads no history. Without foreign keys and indexes they cost
  -- next to nothing to move; the pruning of old runs leaves those alone that a task points to.
  last_run_id int,
  last_success_run_id int,
  -- A failed run whose remaining retries a person cancelled: the list then says Stopped.
  stopped_run_id int,
  -- Current version of the task's rows and the image of the target before the last run.
  snapshot_id int,
  before_snapshot_id int,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tasks_type_name_key unique nulls not distinct (category, task_type_id, name)
);
create index tasks_order_idx on tasks (category, task_type_id, sort_order, id);

create table sync_presets (
  id int generated always as identity primary key,
  name text not null constraint sync_presets_name_key unique,
  -- Header names left out of a copy.
  excluded_fields text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table sync_tasks (
  task_id int primary key references tasks on delete cascade,
  source_type text not null check (source_type in ('sheet', 'internal')),
  source_ss_id text not null default '',
  source_ss_name text not null default '',
  source_sheet_name text not null default '',
  -- Tabs are bound by id once a run has seen them, so that a renamed tab is followed.
  source_sheet_id int,
  target_ss_id text not null,
  target_ss_name text not null default '',
  target_sheet_name text not null,
  target_sheet_id int,
  source_compiler_config_id int constraint sync_tasks_compiler_config_fkey references compiler_configs,
  sync_preset_id int constraint sync_tasks_preset_fkey references sync_presets,
  chunk_size int not null check (chunk_size >= 1),
  start_row int not null default 1 check (start_row >= 1),
  scheduled_times text[] not null default '{}',
  relevant_user_accounts text[] not null default '{}',
  -- What the last successful run owned in the target: a later, smaller run clears the rest of it.
  owned_columns int not null default 0,
  owned_rows int not null default 0,
  constraint sync_tasks_source_check check (source_type <> 'sheet' or source_ss_id <> ''),
  constraint sync_tasks_config_check check (source_type <> 'internal' or source_compiler_config_id is not null),
  constraint sync_tasks_source_is_target_check check (source_type <> 'sheet'
    or (source_ss_id, lower(source_sheet_name)) <> (target_ss_id, lower(target_sheet_name)))
);
-- The first index is checked first: the same source and target together have a message of their own.
create unique index sync_tasks_source_target_key on sync_tasks
  (source_ss_id, lower(source_sheet_name), target_ss_id, lower(target_sheet_name)) where source_type = 'sheet';
create unique index sync_tasks_target_key on sync_tasks (target_ss_id, lower(target_sheet_name));

create table log_entries (
  id bigint generated always as identity primary key,
  task_id int not null references tasks on delete cascade,
  run_id int,
  level text not null check (level in ('INFO', 'SUCCESS', 'WARNING', 'ERROR')),
  message text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index log_entries_task_idx on log_entries (task_id, id desc);

create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);
