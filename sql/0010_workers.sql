-- Processes that carry out runs. A run waits in the queue while nobody lives who can carry it out.
create table workers (
  id uuid primary key,
  -- Host and process, for people.
  name text not null,
  -- Of tasks: what this program has jobs for. Another version beside it may have other ones.
  categories text[] not null,
  seen_at timestamptz not null default now()
);

-- Schedulers sleep until the next moment that they know of. Whatever may bring an earlier one wakes them.
create function announce_schedules() returns trigger language plpgsql as $$
begin
  perform pg_notify('rowferry', '{"kind":"schedules"}');
  return null;
end $$;
create trigger sync_tasks_announce_schedule_insert after insert on sync_tasks for each row
  when (new.scheduled_times <> '{}') execute function announce_schedules();
create trigger sync_tasks_announce_schedule_update after update of scheduled_times on sync_tasks for each row
  when (old.scheduled_times is distinct from new.scheduled_times) execute function announce_schedules();
create trigger task_types_announce_schedule_insert after insert on task_types for each row
  when (new.cron_schedule is not null) execute function announce_schedules();
create trigger task_types_announce_schedule_update after update of cron_schedule on task_types for each row
  when (old.cron_schedule is distinct from new.cron_schedule) execute function announce_schedules();
create trigger run_all_schedules_announce after insert or update on run_all_schedules for each row
  execute function announce_schedules();
create trigger settings_announce_schedule after insert or update on settings for each row
  when (new.key = 'source_check_interval') execute function announce_schedules();
-- Moments that another process has recorded are to start now.
create trigger due_moments_announce after insert on due_moments for each statement
  execute function announce_schedules();
