-- Which tasks of a deadline its forecast expects to be late, and which were not ready at its last occurrence and still are not.
alter table ready_by
  add column late_task_ids int[] not null default '{}',
  add column overdue_task_ids int[] not null default '{}';
