-- Schedules: when tasks are due, and what became of each moment.

-- Moments from before a task had its times are not its own, also where nobody was there to see them pass.
alter table sync_tasks add column scheduled_since timestamptz not null default now();
create function note_schedule_change() returns trigger language plpgsql as $$
begin
  new.scheduled_since := now();
  return new;
end $$;
create trigger sync_tasks_schedule_change before update of scheduled_times on sync_tasks for each row
  when (old.scheduled_times is distinct from new.scheduled_times) execute function note_schedule_change();

alter table task_types add column scheduled_since timestamptz not null default now();
create trigger task_types_schedule_change before update of cron_schedule on task_types for each row
  when (old.cron_schedule is distinct from new.cron_schedule) execute function note_schedule_change();

-- Times of day of whole categories: the run-all schedules.
create table run_all_schedules (
  category text primary key check (category in ('sync', 'source', 'compiler')),
  scheduled_times text[] not null default '{}',
  scheduled_since timestamptz not null default now()
);
insert into run_all_schedules (category) values ('sync'), ('source');
create trigger run_all_schedules_change before update of scheduled_times on run_all_schedules for each row
  when (old.scheduled_times is distinct from new.scheduled_times) execute function note_schedule_change();

-- Every way in which a task may become due. `times` are times of day, `cron` is an expression; one of them is null.
create view task_schedules as
  select 'task' as schedule, s.task_id, s.scheduled_times as times, null::text as cron, s.scheduled_since
  from sync_tasks s join tasks k on k.id = s.task_id
  where k.is_active and s.scheduled_times <> '{}'
  union all
  select 'type', k.id, null, t.cron_schedule, greatest(t.scheduled_since, k.created_at)
  from task_types t join tasks k on k.task_type_id = t.id
  where t.cron_schedule is not null and t.is_active and k.is_active
  union all
  select 'all', k.id, a.scheduled_times, null, greatest(a.scheduled_since, k.created_at)
  from run_all_schedules a join tasks k on k.category = a.category
  where k.is_active and a.scheduled_times <> '{}';

-- One row for each moment at which a schedule made a task due, from the minute it was seen. However many schedulers
-- there are, the constraint lets each moment in once.
create table due_moments (
  id bigint generated always as identity primary key,
  schedule text not null check (schedule in ('task', 'type', 'all')),
  task_id int not null references tasks on delete cascade,
  due_at timestamptz not null,
  -- Moments of prerequisite types come first among those of the same time: 0, then those that depend on them.
  stage int not null,
  -- Null until the run is queued.
  outcome text check (outcome in ('started', 'missed')),
  -- Why it was missed.
  reason text,
  -- A range that was missed for one reason: its last moment and how many there are.
  last_due_at timestamptz not null,
  moments int not null default 1,
  run_id int,
  recorded_at timestamptz not null default clock_timestamp(),
  constraint due_moments_key unique (schedule, task_id, due_at)
);
create index due_moments_waiting_idx on due_moments (due_at, stage, id) where outcome is null;
create index due_moments_task_idx on due_moments (task_id, due_at desc);

-- How far the schedules have been looked at, and whether the source schedule (types' crons and the run-all of
-- source tasks) is switched on.
create table schedule_clock (
  single boolean primary key default true check (single),
  scanned_until timestamptz not null default now(),
  looked_at timestamptz not null default now(),
  source_running boolean not null default true
);
insert into schedule_clock default values;
