-- How many types a type waits for, one after the other: what is queued together is queued in this order.
-- Cycles are refused where they would be made; should one slip in, this still ends.
create view task_type_depth as
with recursive reached (task_type_id, depth) as (
  select id, 0 from task_types
  union
  select d.task_type_id, reached.depth + 1
  from reached join task_type_dependencies d on d.depends_on_id = reached.task_type_id
  where reached.depth < 100
)
select task_type_id, max(depth) as depth from reached group by task_type_id;
