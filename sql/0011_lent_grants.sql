-- Whose grant the runs of a task use: the person's who last changed anything that decides what is read or written.
-- created_by is only who made the task. Null: nobody's but those of the accounts that the task names.
alter table tasks add account_user_id int references users on delete set null;

-- Until now an edit of the spreadsheets moved created_by, and other edits moved nothing. The audit log knows who made a task,
-- and who last changed what it copies: a value that differs from the one before, or a preset of the task that lost fields.
create temporary table lent_grants on commit drop as
with change as (
  select e.id, e.object_id::int as task_id, e.user_id, field.key, field.value,
    lag(field.value) over (partition by e.object_id, field.key order by e.id) as before
  from audit_log e cross join lateral jsonb_each(e.details) as field
  where e.object_type = 'sync_task' and e.action in ('create', 'update') and e.object_id is not null
    and field.key in ('source_type', 'source_ss_id', 'source_sheet_name', 'source_compiler_config_id',
      'target_ss_id', 'target_sheet_name', 'start_row', 'sync_preset_id')
), preset_change as (
  select e.id, e.object_id::int as preset_id, e.user_id, e.details -> 'excluded_fields' as fields,
    lag(e.details -> 'excluded_fields') over (partition by e.object_id order by e.id) as before
  from audit_log e
  where e.object_type = 'sync_preset' and e.action in ('create', 'update') and e.details ? 'excluded_fields'
), decision as (
  select id, task_id, user_id from change where value is distinct from before
  union all
  select p.id, s.task_id, p.user_id
  from preset_change p join sync_tasks s on s.sync_preset_id = p.preset_id
  where not p.fields @> p.before and p.id > (
    select max(c.id) from change c
    where c.task_id = s.task_id and c.key = 'sync_preset_id' and c.value is distinct from c.before
  )
), latest as (
  select distinct on (task_id) task_id, user_id from decision order by task_id, id desc
)
select t.id as task_id, t.created_by as former_id, u.id as user_id, u.email
from tasks t left join latest l on l.task_id = t.id join users u on u.id = coalesce(l.user_id, t.created_by);

update tasks set account_user_id = g.user_id from lent_grants g where g.task_id = tasks.id;

update tasks set created_by = e.user_id
from audit_log e
where e.object_type = category || '_task' and e.object_id = tasks.id::text and e.action = 'create'
  and e.user_id in (select id from users);

insert into log_entries (task_id, level, message)
select task_id, 'INFO', format('Runs use the Google account of %s now, who last changed what is copied.', email)
from lent_grants where user_id is distinct from former_id;

-- Runs that wait or are at work have their task's account, too; those that left a tab behind the one that created it.
update runs set definition = definition || jsonb_build_object('account_user_id',
  case when state in ('queued', 'running', 'stopping') then to_jsonb(t.account_user_id) else definition -> 'created_by' end)
from tasks t
where t.id = runs.task_id and definition ? 'created_by'
  and (state in ('queued', 'running', 'stopping') or runs.id in (select run_id from staging_tabs));
