-- Names of spreadsheets that tasks use or have used, so that the history of settings names those that no task uses any more.
create table spreadsheet_names (
  spreadsheet_id text primary key,
  name text not null
);

create function note_spreadsheet_names() returns trigger language plpgsql as $$
begin
  insert into spreadsheet_names (spreadsheet_id, name)
  select distinct on (seen.id) seen.id, seen.name
  from jsonb_to_recordset(jsonb_build_array(
    jsonb_build_object('id', to_jsonb(new) ->> 'source_ss_id', 'name', to_jsonb(new) ->> 'source_ss_name'),
    jsonb_build_object('id', to_jsonb(new) ->> 'target_ss_id', 'name', to_jsonb(new) ->> 'target_ss_name'),
    jsonb_build_object('id', to_jsonb(new) ->> 'spreadsheet_id', 'name', to_jsonb(new) ->> 'spreadsheet_name')
  )) as seen (id text, name text)
  where seen.id <> '' and seen.name <> ''
  order by seen.id
  on conflict (spreadsheet_id) do update set name = excluded.name where spreadsheet_names.name <> excluded.name;
  return null;
end $$;

create trigger sync_tasks_note_names after insert or update of source_ss_name, target_ss_name on sync_tasks
  for each row execute function note_spreadsheet_names();
create trigger further_sources_note_names after insert or update of source_ss_name on further_sources
  for each row execute function note_spreadsheet_names();
create trigger source_tasks_note_names after insert or update of spreadsheet_name on source_tasks
  for each row execute function note_spreadsheet_names();

insert into spreadsheet_names (spreadsheet_id, name)
select distinct on (id) id, name from (
  select source_ss_id as id, source_ss_name as name from sync_tasks
  union all select target_ss_id, target_ss_name from sync_tasks
  union all select source_ss_id, source_ss_name from further_sources
  union all select spreadsheet_id, spreadsheet_name from source_tasks
) as known where id <> '' and name <> '' order by id;
