-- Further sources of sync tasks as runs find and read them.

alter table further_sources
  add column source_provider text not null default 'google-sheets',
  -- As in sync_tasks: the provider's id of the tab; null until a run has opened it.
  add column source_place text;
create index further_sources_tab_idx on further_sources (source_ss_id, source_place) where source_type = 'sheet';

-- Places stay with a spreadsheet and a tab when the list changes around them.
create or replace function derive_further_sources() returns trigger language plpgsql as $$
declare
  former jsonb;
begin
  if exists (
    select from jsonb_array_elements(new.more_sources) source
    where source ->> 'source_type' = 'sheet' and source ->> 'source_ss_id' = new.target_ss_id
      and tab_key(source ->> 'source_sheet_name') = tab_key(new.target_sheet_name)
  ) then
    raise check_violation using message = 'a further source is the target', constraint = 'further_sources_source_is_target_check';
  end if;
  select coalesce(jsonb_agg(to_jsonb(f)), '[]') into former from further_sources f where f.task_id = new.task_id;
  delete from further_sources where task_id = new.task_id;
  insert into further_sources (task_id, place, source_type, source_ss_id, source_ss_name, source_sheet_name, source_compiler_config_id,
    source_place)
  select new.task_id, place, source ->> 'source_type', source ->> 'source_ss_id', coalesce((
      select f.source_ss_name from jsonb_to_recordset(former) f (source_ss_id text, source_ss_name text)
      where f.source_ss_id = source ->> 'source_ss_id' and f.source_ss_name <> '' limit 1
    ), ''),
    source ->> 'source_sheet_name', (source ->> 'source_compiler_config_id')::integer, (
      select f.source_place from jsonb_to_recordset(former) f (source_ss_id text, source_sheet_name text, source_place text)
      where f.source_ss_id = source ->> 'source_ss_id' and f.source_sheet_name = source ->> 'source_sheet_name' limit 1
    )
  from jsonb_array_elements(new.more_sources) with ordinality as entry (source, place);
  return null;
end $$;

-- Of a copy of several sources: for each source the first of its rows among those of all, its columns, and the version that was read.
alter table snapshots add column source_parts jsonb;

create or replace view task_inputs (task_id, input_task_id) as
select task_id, origin_task_id from source_tasks where origin_task_id is not null
union all
select c.task_id, s.source_task_id
from compiler_sources s join compiler_configs c on c.id = s.compiler_config_id
union all
select s.task_id, c.task_id
from sync_tasks s join compiler_configs c on c.id = s.source_compiler_config_id
where s.source_type = 'internal'
union all
select f.task_id, c.task_id
from further_sources f join compiler_configs c on c.id = f.source_compiler_config_id
where f.source_type = 'internal';

create or replace function tasks_reading(task_ids int[]) returns setof int language sql stable as $$
  select s.task_id from source_tasks s where s.origin_task_id = any (task_ids)
  union
  select c.task_id from compiler_sources s join compiler_configs c on c.id = s.compiler_config_id
  where s.source_task_id = any (task_ids)
  union
  select s.task_id from sync_tasks s join compiler_configs c on c.id = s.source_compiler_config_id
  where c.task_id = any (task_ids)
  union
  select f.task_id from further_sources f join compiler_configs c on c.id = f.source_compiler_config_id
  where c.task_id = any (task_ids)
$$;

-- The tabs of sync tasks that write a tab per value of a column, as sync_tasks has it of one tab.
create table split_tabs (
  id int generated always as identity primary key,
  task_id int not null references sync_tasks on delete cascade,
  value text not null,
  target_ss_id text not null,
  target_sheet_name text not null,
  target_place text,
  owned_columns int not null default 0,
  owned_rows int not null default 0,
  owned_start_row int,
  intended jsonb not null default '[]',
  -- The rows that it holds.
  snapshot_id int references snapshots on delete set null,
  constraint split_tabs_value_key unique (task_id, target_ss_id, value),
  constraint split_tabs_target_key unique (target_ss_id, target_place)
);
create index split_tabs_snapshot_idx on split_tabs (snapshot_id);
