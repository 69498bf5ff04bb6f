-- Runs: one execution of a task each, kept as history. A state machine; every transition is one guarded update.

create table runs (
  id int generated always as identity primary key,
  task_id int references tasks on delete set null,
  task_type_id int references task_types on delete set null,
  category text not null,
  task_name text not null,
  state text not null default 'queued' constraint runs_state_check
    check (state in ('queued', 'running', 'stopping', 'stopped', 'success', 'warning', 'failed', 'error')),
  -- Who or what asked for it: manual, group, all, schedule.
  trigger text not null,
  trigger_label text not null default '',
  triggered_by int references users on delete set null,
  -- The definition as it was when the run was queued: later edits do not touch a live run.
  definition jsonb not null,
  -- What only one run may work on at a time (a target tab). Null: nothing.
  exclusive_key text,
  -- The task's place in its type, kept here too for the order of admission.
  sort_order int not null default 0,
  queued_at timestamptz not null default now(),
  -- Earliest admission: the time of the next attempt while a failed one waits for it.
  not_before timestamptz not null default now(),
  started_at timestamptz,
  -- Null between attempts. A worker that takes over goes on in the same attempt.
  attempt_started_at timestamptz,
  finished_at timestamptz,
  attempts int not null default 0,
  -- Times that a dead worker's run went to another one, in all attempts.
  takeovers int not null default 0,
  -- The claim: pg-boss job and its retry count. A worker whose pair is not this one has lost the run.
  -- job_retry is null until a worker has picked the job up.
  job_id uuid,
  job_retry int,
  worker text,
  stop_asked_by text,
  phase text not null default '',
  phase_started_at timestamptz,
  rows_done int not null default 0,
  rows_total int,
  checkpoint jsonb,
  error text,
  message text,
  receipt jsonb,
  updated_at timestamptz not null default now()
);
create unique index runs_live_task_key on runs (task_id) where state in ('queued', 'running', 'stopping');
create unique index runs_exclusive_key on runs (exclusive_key) where state in ('running', 'stopping');
-- 0 stands for tasks without a type, as in the queries of admission.
create index runs_live_idx on runs (coalesce(task_type_id, 0), id) where state in ('queued', 'running', 'stopping');
-- Admission takes the first few of a type, however many wait.
create index runs_queued_idx on runs (coalesce(task_type_id, 0), sort_order, id) where state = 'queued';
create index runs_task_idx on runs (task_id, id desc);
create index runs_finished_idx on runs (finished_at);

-- A task that is moved while its run waits: the run moves with it.
create function move_queued_run() returns trigger language plpgsql as $$
begin
  update runs set sort_order = new.sort_order where task_id = new.id and state = 'queued';
  return null;
end $$;
create trigger tasks_move_queued_run after update of sort_order on tasks for each row
  when (old.sort_order <> new.sort_order) execute function move_queued_run();

-- Whoever changes a run or writes a log line: every process hears of it when, and only if, that commits.
create function announce_run() returns trigger language plpgsql as $$
begin
  perform pg_notify('rowferry', json_build_object(
    'kind', 'run', 'task_id', new.task_id, 'run_id', new.id, 'state', new.state)::text);
  return null;
end $$;
create trigger runs_announce_insert after insert on runs for each row execute function announce_run();
create trigger runs_announce_update after update on runs for each row
  when ((old.state, old.phase, old.rows_done, old.rows_total)
    is distinct from (new.state, new.phase, new.rows_done, new.rows_total))
  execute function announce_run();

create function announce_log_entry() returns trigger language plpgsql as $$
begin
  perform pg_notify('rowferry', json_build_object(
    'kind', 'log', 'task_id', new.task_id, 'log_id', new.id)::text);
  return null;
end $$;
create trigger log_entries_announce after insert on log_entries for each row execute function announce_log_entry();

-- Immutable, versioned sets of rows. A run writes a new one and moves the task's pointer in its last transaction.
create table snapshots (
  id int generated always as identity primary key,
  task_id int references tasks on delete set null,
  run_id int references runs on delete set null,
  kind text not null check (kind in ('copy', 'before', 'source')),
  -- Column names in order.
  columns jsonb not null default '[]',
  -- The header row as it stands in the sheet, typed; and the number format of each column's data rows, null for automatic.
  header jsonb not null default '[]',
  formats jsonb not null default '[]',
  row_count int not null default 0,
  hash text,
  -- Null while rows still stream in: such a version is never shown.
  completed_at timestamptz,
  created_at timestamptz not null default now()
);
create index snapshots_task_idx on snapshots (task_id);
create index snapshots_run_idx on snapshots (run_id);

-- No foreign key: it would cost a look-up per row of a COPY. Orphans are pruned in the background.
create table snapshot_rows (
  snapshot_id int not null,
  row_no int not null,
  -- Array of values in the order of snapshots.columns: string, number, boolean or null. A blank cell is '' or null, and
  -- those at the end are left out.
  cells jsonb not null,
  primary key (snapshot_id, row_no)
);

-- Hidden tabs that runs created in targets, recorded before they exist, so that none is left behind.
create table staging_tabs (
  run_id int not null,
  spreadsheet_id text not null,
  sheet_id int not null,
  created_at timestamptz not null default now(),
  primary key (spreadsheet_id, sheet_id)
);

-- The sliding log of requests, per project and account: at most 60 and 300 in any 61 s.
create table quota_log (
  id bigint generated always as identity primary key,
  project text not null,
  account text not null,
  kind text not null check (kind in ('read', 'write')),
  started_at timestamptz not null
);
create index quota_log_idx on quota_log (project, kind, started_at);
