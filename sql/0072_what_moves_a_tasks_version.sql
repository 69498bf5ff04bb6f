-- `tasks.updated_at` is the version of a task that a person names who lends it a Google account. What a task reads and writes is more
-- than its own row says: a preset, a compiler configuration with its sources, the connections and tasks that those read. A change of any
-- of these moves the version of each task downstream, in the transaction of the change: decision 090.

-- The tasks that read what these tasks store, one step downstream.
create function tasks_reading(task_ids int[]) returns setof int language sql stable as $$
  select s.task_id from source_tasks s where s.origin_task_id = any (task_ids)
  union
  select c.task_id from compiler_sources s join compiler_configs c on c.id = s.compiler_config_id
  where s.source_task_id = any (task_ids)
  union
  select s.task_id from sync_tasks s join compiler_configs c on c.id = s.source_compiler_config_id
  where c.task_id = any (task_ids)
$$;

-- Later than what any reader saw, as the program sets it. Nobody lends a configuration an account.
create function touch_tasks(task_ids int[]) returns void language plpgsql as $$
begin
  if task_ids = '{}' then
    return;
  end if;
  with locked as (
    select id from tasks where id = any (task_ids) and category <> 'compiler' order by id for no key update
  )
  update tasks t set updated_at = greatest(clock_timestamp(), t.updated_at + interval '1 millisecond')
  from locked where t.id = locked.id;
  perform pg_notify('rowferry', (jsonb_build_object('kind', 'tasks') || case
    when cardinality(task_ids) > 500 then '{}' else jsonb_build_object('task_ids', task_ids) end)::text);
end $$;

-- Touches these tasks and all that read from them, however far downstream. What others may begin to read is locked before its readers
-- are looked up: a task that takes it up at the same time is either seen here, or committed after this change.
create function touch_readers(task_ids int[]) returns void language plpgsql as $$
declare
  reached int[] := task_ids;
  found int[];
begin
  loop
    perform from tasks where id = any (reached) and category <> 'sync' order by id for update;
    perform from compiler_configs where task_id = any (reached) order by id for update;
    found := array(
      select id from (select unnest(reached) as id union select tasks_reading(reached)) as known order by id
    );
    exit when found <@ reached;
    reached := found;
  end loop;
  perform touch_tasks(reached);
end $$;

create function sync_preset_changed() returns trigger language plpgsql as $$
begin
  perform from sync_presets where id = new.id for update;
  perform touch_tasks(array(select task_id from sync_tasks where sync_preset_id = new.id order by task_id));
  return null;
end $$;
create trigger sync_presets_move_versions after update of excluded_fields on sync_presets for each row
  when (old.excluded_fields is distinct from new.excluded_fields) execute function sync_preset_changed();

create function connection_changed() returns trigger language plpgsql as $$
begin
  perform from connections where id = new.id for update;
  perform touch_readers(array(select task_id from source_tasks where connection_id = new.id order by task_id));
  return null;
end $$;
create trigger connections_move_versions after update of settings, secrets on connections for each row
  when ((old.settings, old.secrets) is distinct from (new.settings, new.secrets)) execute function connection_changed();

create function task_definition_changed() returns trigger language plpgsql as $$
begin
  perform touch_readers(array[new.task_id]);
  return null;
end $$;
-- A tab that is known by its place and was renamed is the same tab.
create trigger source_tasks_move_versions after update on source_tasks for each row
  when ((old.source_type, old.provider, old.spreadsheet_id, old.connection_id, old.origin_task_id, old.min_rows_percent, old.max_rows)
    is distinct from (new.source_type, new.provider, new.spreadsheet_id, new.connection_id, new.origin_task_id, new.min_rows_percent, new.max_rows)
    or (old.sheet_name <> new.sheet_name and new.place is null))
  execute function task_definition_changed();
create trigger compiler_configs_move_versions after update on compiler_configs for each row
  when ((old.required_fields, old.field_groups, old.field_priorities, old.column_names)
    is distinct from (new.required_fields, new.field_groups, new.field_priorities, new.column_names))
  execute function task_definition_changed();

create function config_parts_changed() returns trigger language plpgsql as $$
begin
  perform touch_readers(array(
    select distinct c.task_id from compiler_configs c join changed on changed.compiler_config_id = c.id order by c.task_id
  ));
  return null;
end $$;
create trigger compiler_sources_move_versions_insert after insert on compiler_sources
  referencing new table as changed for each statement execute function config_parts_changed();
create trigger compiler_sources_move_versions_update after update on compiler_sources
  referencing new table as changed for each statement execute function config_parts_changed();
create trigger compiler_sources_move_versions_delete after delete on compiler_sources
  referencing old table as changed for each statement execute function config_parts_changed();
create trigger compiler_sku_mappings_move_versions_insert after insert on compiler_sku_mappings
  referencing new table as changed for each statement execute function config_parts_changed();
create trigger compiler_sku_mappings_move_versions_update after update on compiler_sku_mappings
  referencing new table as changed for each statement execute function config_parts_changed();
create trigger compiler_sku_mappings_move_versions_delete after delete on compiler_sku_mappings
  referencing old table as changed for each statement execute function config_parts_changed();
