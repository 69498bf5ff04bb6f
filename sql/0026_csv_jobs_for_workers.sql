-- Workers carry CSV jobs out: what a job needs is kept with it until it ends, so that it survives every process.

alter table csv_jobs
  -- Of the form that came with the file.
  add column options jsonb not null default '{}',
  -- How often a worker has begun it; one that died has left it to the next.
  add column attempts int not null default 0,
  -- The first of the rows that were taken with a remark: row, field, message.
  add column warnings jsonb not null default '[]',
  -- Why the whole job failed, as the catalogue of errors names it.
  add column error_code text;
create index csv_jobs_unfinished_idx on csv_jobs (id) where status in ('pending', 'running');

-- What an import reads, until it has ended; what an export has written, for a day.
create table csv_file_parts (
  job_id int not null references csv_jobs on delete cascade,
  part_no int not null,
  content bytea not null,
  primary key (job_id, part_no)
);
-- It is written and read once: compressing it would cost more than its space.
alter table csv_file_parts alter column content set storage external;

-- Jobs of earlier processes had their files there; those of processes that live hold this lock.
update csv_jobs set status = 'failed', summary = '{}', finished_at = now(),
  error = 'The server stopped during this import. Nothing of the file was kept.'
where status in ('pending', 'running') and not exists (
  select from pg_locks
  where locktype = 'advisory' and objsubid = 2 and classid = 7269342 and objid = csv_jobs.id::oid
    and database = (select oid from pg_database where datname = current_database())
);
