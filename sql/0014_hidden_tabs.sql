-- Hidden tabs say whose they are, and are looked for until they are certain not to come any more.

insert into settings (key, value)
values ('installation_id', to_jsonb(left(replace(gen_random_uuid()::text, '-', ''), 12)));

alter table staging_tabs
  -- It was there once. Its id is sent for creation once, so a tab that was seen and then is not there never comes again.
  add seen boolean not null default false,
  -- When the sweep looks for it the next time; null: it never has.
  add next_look_at timestamptz;

-- One tab takes the rows of one task. Of those that found the same one by different names, the oldest keeps it.
with bound as (
  select s.task_id, first_value(t.name) over same_tab as first_name, row_number() over same_tab as place
  from sync_tasks s join tasks t on t.id = s.task_id
  where s.target_sheet_id is not null
  window same_tab as (partition by s.target_ss_id, s.target_sheet_id order by t.created_at, t.id)
), unbound as (
  update sync_tasks s set target_sheet_id = null, owned_columns = 0, owned_rows = 0
  from bound where bound.task_id = s.task_id and bound.place > 1
  returning s.task_id, bound.first_name
)
insert into log_entries (task_id, level, message)
select task_id, 'WARNING', format('The task ‘%s’ writes to the same target tab and has it from now on. Choose another target tab for this task.', first_name)
from unbound;

create unique index sync_tasks_target_sheet_key on sync_tasks (target_ss_id, target_sheet_id);
