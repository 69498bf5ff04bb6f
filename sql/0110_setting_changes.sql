-- What changes of settings replaced, for the history of a task or type and for reverting: decision 135. Triggers record each change,
-- whoever makes it: forms, bulk calls, imports, runs that follow a renamed tab.
create table setting_changes (
  id bigint generated always as identity primary key,
  -- Time and id of the transaction. Its entries in the audit log have the same, and say who made the change.
  at timestamptz not null default now(),
  xact xid8 not null default pg_current_xact_id(),
  task_id int references tasks on delete cascade,
  task_type_id int references task_types on delete cascade,
  -- Former and new values of the changed columns.
  before jsonb not null,
  after jsonb not null,
  check (num_nonnulls(task_id, task_type_id) = 1)
);
create index setting_changes_task_idx on setting_changes (task_id, id) where task_id is not null;
create index setting_changes_type_idx on setting_changes (task_type_id, id) where task_type_id is not null;

alter table audit_log add xact xid8;
alter table audit_log alter xact set default pg_current_xact_id();
create index audit_log_xact_idx on audit_log (xact, object_id) where xact is not null;

-- Arguments: the column with the id of the task or type, then the columns that are settings.
create function record_setting_changes() returns trigger language plpgsql as $$
declare
  former jsonb := to_jsonb(old);
  latter jsonb := to_jsonb(new);
  subject int := (latter ->> tg_argv[0])::int;
  before jsonb := '{}';
  after jsonb := '{}';
begin
  for place in 1 .. tg_nargs - 1 loop
    if former -> tg_argv[place] is distinct from latter -> tg_argv[place] then
      before := before || jsonb_build_object(tg_argv[place], former -> tg_argv[place]);
      after := after || jsonb_build_object(tg_argv[place], latter -> tg_argv[place]);
    end if;
  end loop;
  insert into setting_changes (task_id, task_type_id, before, after) values (
    case when tg_table_name <> 'task_types' then subject end,
    case when tg_table_name = 'task_types' then subject end, before, after);
  return null;
end $$;

create trigger tasks_record_setting_changes after update on tasks for each row
  when ((old.name, old.task_type_id, old.is_active, old.chunk_size, old.scheduled_times, old.relevant_user_accounts,
      old.account_user_id, old.owner_id, old.notes, old.tags)
    is distinct from (new.name, new.task_type_id, new.is_active, new.chunk_size, new.scheduled_times, new.relevant_user_accounts,
      new.account_user_id, new.owner_id, new.notes, new.tags))
  execute function record_setting_changes('id', 'name', 'task_type_id', 'is_active', 'chunk_size', 'scheduled_times',
    'relevant_user_accounts', 'account_user_id', 'owner_id', 'notes', 'tags');

create trigger sync_tasks_record_setting_changes after update on sync_tasks for each row
  when ((old.source_type, old.source_ss_id, old.source_sheet_name, old.target_ss_id, old.target_sheet_name,
      old.source_compiler_config_id, old.sync_preset_id, old.start_row)
    is distinct from (new.source_type, new.source_ss_id, new.source_sheet_name, new.target_ss_id, new.target_sheet_name,
      new.source_compiler_config_id, new.sync_preset_id, new.start_row))
  execute function record_setting_changes('task_id', 'source_type', 'source_ss_id', 'source_sheet_name', 'target_ss_id',
    'target_sheet_name', 'source_compiler_config_id', 'sync_preset_id', 'start_row');

create trigger source_tasks_record_setting_changes after update on source_tasks for each row
  when ((old.source_type, old.spreadsheet_id, old.sheet_name, old.source_identifier, old.start_row, old.is_master_catalog,
      old.description, old.min_rows_percent, old.max_rows)
    is distinct from (new.source_type, new.spreadsheet_id, new.sheet_name, new.source_identifier, new.start_row,
      new.is_master_catalog, new.description, new.min_rows_percent, new.max_rows))
  execute function record_setting_changes('task_id', 'source_type', 'spreadsheet_id', 'sheet_name', 'source_identifier',
    'start_row', 'is_master_catalog', 'description', 'min_rows_percent', 'max_rows');

create trigger compiler_configs_record_setting_changes after update on compiler_configs for each row
  when ((old.description, old.required_fields, old.field_groups, old.field_priorities, old.column_names)
    is distinct from (new.description, new.required_fields, new.field_groups, new.field_priorities, new.column_names))
  execute function record_setting_changes('task_id', 'description', 'required_fields', 'field_groups', 'field_priorities',
    'column_names');

create trigger task_types_record_setting_changes after update on task_types for each row
  when ((old.name, old.description, old.group_name, old.cron_schedule, old.allowed_concurrent_tasks, old.priority,
      old.queue_delay_seconds, old.max_retries, old.retry_delay_seconds, old.timeout_minutes, old.chunk_size, old.is_active,
      old.compiler_config_id)
    is distinct from (new.name, new.description, new.group_name, new.cron_schedule, new.allowed_concurrent_tasks, new.priority,
      new.queue_delay_seconds, new.max_retries, new.retry_delay_seconds, new.timeout_minutes, new.chunk_size, new.is_active,
      new.compiler_config_id))
  execute function record_setting_changes('id', 'name', 'description', 'group_name', 'cron_schedule', 'allowed_concurrent_tasks',
    'priority', 'queue_delay_seconds', 'max_retries', 'retry_delay_seconds', 'timeout_minutes', 'chunk_size', 'is_active',
    'compiler_config_id');

-- Lists of sources and dependencies, before and after a statement. A subject that is being deleted is not there any more.
create function record_source_changes() returns trigger language plpgsql as $$
begin
  insert into setting_changes (task_id, before, after)
  select t.id, case when tg_op = 'DELETE' then list.more else list.rest end,
    case when tg_op = 'DELETE' then list.rest else list.more end
  from (select distinct compiler_config_id from changed) as touched
  join compiler_configs c on c.id = touched.compiler_config_id
  join tasks t on t.id = c.task_id
  -- Without and with the changed rows.
  cross join lateral (
    select jsonb_build_object(
        'source_task_ids', coalesce(jsonb_agg(one.source_task_id order by one.position) filter (where not one.is_changed), '[]'),
        'master_source_id', min(one.source_task_id) filter (where one.is_master and not one.is_changed)) as rest,
      jsonb_build_object(
        'source_task_ids', coalesce(jsonb_agg(one.source_task_id order by one.position), '[]'),
        'master_source_id', min(one.source_task_id) filter (where one.is_master)) as more
    from (
      select source_task_id, position, is_master, false as is_changed from compiler_sources s
      where s.compiler_config_id = c.id
        and s.source_task_id not in (select source_task_id from changed where compiler_config_id = c.id)
      union all
      select source_task_id, position, is_master, true from changed where compiler_config_id = c.id
    ) as one
  ) as list;
  return null;
end $$;
create trigger compiler_sources_record_deletion after delete on compiler_sources
  referencing old table as changed for each statement execute function record_source_changes();
create trigger compiler_sources_record_insertion after insert on compiler_sources
  referencing new table as changed for each statement execute function record_source_changes();

create function record_dependency_changes() returns trigger language plpgsql as $$
begin
  insert into setting_changes (task_type_id, before, after)
  select y.id, jsonb_build_object('dependencies', case when tg_op = 'DELETE' then list.more else list.rest end),
    jsonb_build_object('dependencies', case when tg_op = 'DELETE' then list.rest else list.more end)
  from (select distinct task_type_id from changed) as touched
  join task_types y on y.id = touched.task_type_id
  cross join lateral (
    select coalesce(jsonb_agg(one.dependency order by one.position) filter (where not one.is_changed), '[]') as rest,
      coalesce(jsonb_agg(one.dependency order by one.position), '[]') as more
    from (
      select jsonb_build_object('depends_on_id', depends_on_id, 'condition', condition) as dependency, position,
        depends_on_id in (select depends_on_id from changed where task_type_id = y.id) as is_changed
      from task_type_dependencies d
      where d.task_type_id = y.id and tg_op = 'INSERT'
      union all
      select jsonb_build_object('depends_on_id', depends_on_id, 'condition', condition), position, false
      from task_type_dependencies d
      where d.task_type_id = y.id and tg_op = 'DELETE'
      union all
      select jsonb_build_object('depends_on_id', depends_on_id, 'condition', condition), position, true
      from changed where task_type_id = y.id and tg_op = 'DELETE'
    ) as one
  ) as list;
  return null;
end $$;
create trigger task_type_dependencies_record_deletion after delete on task_type_dependencies
  referencing old table as changed for each statement execute function record_dependency_changes();
create trigger task_type_dependencies_record_insertion after insert on task_type_dependencies
  referencing new table as changed for each statement execute function record_dependency_changes();
