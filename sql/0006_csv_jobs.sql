-- CSV imports and exports: who sent or fetched what, how far it is, and how it ended.

create table csv_jobs (
  id int generated always as identity primary key,
  -- What the rows are: sync_task, …
  type text not null,
  kind text not null check (kind in ('import', 'export')),
  -- A job at work holds the advisory lock (csv_jobs, id); without it the process that ran it is gone.
  status text not null default 'pending' constraint csv_jobs_status_check
    check (status in ('pending', 'running', 'completed', 'failed')),
  filename text not null,
  processed_count int not null default 0,
  -- Of the file, in percent.
  progress int not null default 0 check (progress between 0 and 100),
  -- Counts by name.
  summary jsonb not null default '{}',
  -- The first of the rows that were refused: row, field, message.
  errors jsonb not null default '[]',
  -- Why the whole job failed.
  error text,
  -- What the job leaves to download: an export's file, an import's list of refused rows.
  file text,
  created_by int references users on delete set null,
  actor text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index csv_jobs_type_idx on csv_jobs (type, id desc);
