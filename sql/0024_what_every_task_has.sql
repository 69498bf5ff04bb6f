-- What the tasks of every category have is in `tasks`, so that the engine and its schedules read no table of a category.
-- Stop every process before this upgrade: programs from before it look for these columns where they were.

-- All at once, or a live run could move between two statements.
lock table runs, tasks, sync_tasks in access exclusive mode;

alter table tasks
  -- Rows of a step: of progress and of what is confirmed.
  add column chunk_size int not null default 1 constraint tasks_chunk_size_check check (chunk_size >= 1),
  -- Times of day in the schedule time zone; moments from before the task had them are not its own.
  add column scheduled_times text[] not null default '{}',
  add column scheduled_since timestamptz not null default now(),
  -- Addresses of the accounts that runs may use beside that of account_user_id.
  add column relevant_user_accounts text[] not null default '{}';

update tasks t set chunk_size = y.chunk_size from task_types y where y.id = t.task_type_id and t.category <> 'sync';
update tasks t set chunk_size = s.chunk_size, scheduled_times = s.scheduled_times,
  scheduled_since = s.scheduled_since, relevant_user_accounts = s.relevant_user_accounts
from sync_tasks s where s.task_id = t.id;

create or replace view task_schedules as
  select 'task' as schedule, k.id as task_id, k.scheduled_times as times, null::text as cron, k.scheduled_since
  from tasks k
  where k.is_active and k.scheduled_times <> '{}'
  union all
  select 'type', k.id, null, t.cron_schedule, greatest(t.scheduled_since, k.created_at)
  from task_types t join tasks k on k.task_type_id = t.id
  where t.cron_schedule is not null and t.is_active and k.is_active
  union all
  select 'all', k.id, a.scheduled_times, null, greatest(a.scheduled_since, k.created_at)
  from run_all_schedules a join tasks k on k.category = a.category
  where k.is_active and a.scheduled_times <> '{}';

drop trigger sync_tasks_schedule_change on sync_tasks;
drop trigger sync_tasks_announce_schedule_insert on sync_tasks;
drop trigger sync_tasks_announce_schedule_update on sync_tasks;
alter table sync_tasks
  drop column chunk_size, drop column scheduled_times, drop column scheduled_since, drop column relevant_user_accounts;

create trigger tasks_schedule_change before update of scheduled_times on tasks for each row
  when (old.scheduled_times is distinct from new.scheduled_times) execute function note_schedule_change();
create trigger tasks_announce_schedule_insert after insert on tasks for each row
  when (new.scheduled_times <> '{}') execute function announce_schedules();
create trigger tasks_announce_schedule_update after update of scheduled_times on tasks for each row
  when (old.scheduled_times is distinct from new.scheduled_times) execute function announce_schedules();

-- Whoever had a run at work is stopped. It begins anew, which is no attempt of its own; a job that is left finds no run.
with anew as (
  update runs set state = 'queued', not_before = now(), updated_at = now(),
    attempts = attempts - (attempt_started_at is not null)::int, attempt_started_at = null,
    job_id = null, job_retry = null, worker = null, checkpoint = null, warnings = '[]', wait = null,
    phase = '', phase_started_at = null, rows_done = 0, rows_total = null
  where state = 'running'
  returning id, task_id
)
insert into log_entries (task_id, run_id, level, message)
select task_id, id, 'INFO', 'Rowferry was upgraded; the run is queued again.' from anew where task_id is not null;

-- One that a person asked to stop has nobody left who would.
with ended as (
  update runs set state = 'stopped', finished_at = now(), updated_at = now() where state = 'stopping'
  returning id, task_id, stop_asked_by
)
insert into log_entries (task_id, run_id, level, message)
select task_id, id, 'WARNING', 'Stopped' || coalesce(' by ' || stop_asked_by, '') from ended where task_id is not null;
