-- The sources behind the first one of a sync task as rows, for constraints, names and searches. A trigger derives them from
-- sync_tasks.more_sources; programs that do not know this table keep it true.
create table further_sources (
  task_id integer not null references sync_tasks on delete cascade,
  -- From 1.
  place integer not null,
  source_type text not null,
  source_ss_id text not null,
  source_ss_name text not null default '',
  source_sheet_name text not null,
  source_compiler_config_id integer,
  -- As in sync_tasks: when a missing name is looked up again.
  names_due_at timestamptz default now(),
  primary key (task_id, place),
  constraint further_sources_compiler_config_fkey foreign key (source_compiler_config_id) references compiler_configs
);
create index further_sources_spreadsheet_idx on further_sources (source_ss_id) where source_type = 'sheet';
create index further_sources_config_idx on further_sources (source_compiler_config_id);
create index further_sources_nameless_idx on further_sources (names_due_at) where source_type = 'sheet' and source_ss_name = '';

create function derive_further_sources() returns trigger language plpgsql as $$
declare
  names jsonb;
begin
  if exists (
    select from jsonb_array_elements(new.more_sources) source
    where source ->> 'source_type' = 'sheet' and source ->> 'source_ss_id' = new.target_ss_id
      and tab_key(source ->> 'source_sheet_name') = tab_key(new.target_sheet_name)
  ) then
    raise check_violation using message = 'a further source is the target', constraint = 'further_sources_source_is_target_check';
  end if;
  select coalesce(jsonb_object_agg(source_ss_id, source_ss_name), '{}') into names
    from further_sources where task_id = new.task_id and source_ss_name <> '';
  delete from further_sources where task_id = new.task_id;
  insert into further_sources (task_id, place, source_type, source_ss_id, source_ss_name, source_sheet_name, source_compiler_config_id)
  select new.task_id, place, source ->> 'source_type', source ->> 'source_ss_id', coalesce(names ->> (source ->> 'source_ss_id'), ''),
    source ->> 'source_sheet_name', (source ->> 'source_compiler_config_id')::integer
  from jsonb_array_elements(new.more_sources) with ordinality as entry (source, place);
  return null;
end $$;

create trigger sync_tasks_derive_further_sources after insert on sync_tasks
  for each row when (new.more_sources <> '[]') execute function derive_further_sources();
create trigger sync_tasks_derive_further_sources_later after update on sync_tasks
  for each row when ((new.more_sources, new.target_ss_id, new.target_sheet_name)
    is distinct from (old.more_sources, old.target_ss_id, old.target_sheet_name) and (new.more_sources, old.more_sources) <> ('[]', '[]'))
  execute function derive_further_sources();

-- Tasks that were saved before this table.
insert into further_sources (task_id, place, source_type, source_ss_id, source_sheet_name, source_compiler_config_id)
select sync_tasks.task_id, place, source ->> 'source_type', source ->> 'source_ss_id', source ->> 'source_sheet_name', c.id
from sync_tasks
cross join jsonb_array_elements(more_sources) with ordinality as entry (source, place)
left join compiler_configs c on c.id = (source ->> 'source_compiler_config_id')::integer;
