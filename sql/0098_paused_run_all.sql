-- A Run All schedule that is paused keeps its times, and nothing is due by it.
alter table run_all_schedules add column is_paused boolean not null default false;

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
  where k.is_active and a.scheduled_times <> '{}' and not a.is_paused;
