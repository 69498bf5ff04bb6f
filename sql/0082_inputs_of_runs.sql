-- Runs wait for the runs of the tasks whose rows they read, where those were queued before them or together with them.

-- Which task reads the stored rows of which other one.
create view task_inputs (task_id, input_task_id) as
select task_id, origin_task_id from source_tasks where origin_task_id is not null
union all
select c.task_id, s.source_task_id
from compiler_sources s join compiler_configs c on c.id = s.compiler_config_id
union all
select s.task_id, c.task_id
from sync_tasks s join compiler_configs c on c.id = s.source_compiler_config_id
where s.source_type = 'internal';

alter table runs
  -- The runs of its inputs that were not over when it was queued, fixed by then. Each has a lower id, so no circle of waits can exist.
  add column input_run_ids int[] not null default '{}',
  -- The first of these that admission knows not to be over; null: the run waits for no input. 0 while the transaction that queues it
  -- has yet to find out, so that neither index below has an entry of that moment.
  add column waits_for_run_id int;
-- Without statistics for the same reason as `state` (0059): in a quiet hour no run waits.
alter table runs alter column waits_for_run_id set statistics 0;

-- Admission skips the runs that wait for an input, however many there are.
create index runs_admissible_idx on runs (coalesce(task_type_id, 0), sort_order, id)
  where state = 'queued' and waits_for_run_id is null;
create index runs_waiting_idx on runs (waits_for_run_id) where state = 'queued' and waits_for_run_id > 0;
