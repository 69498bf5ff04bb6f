-- Files in folders as a provider. Their ids are paths such as Suppliers/prices.xlsx; those of other providers have no slash.

create function provider_of(spreadsheet_id text, former text) returns text language sql immutable as $$
  select case
    when spreadsheet_id like '%/%' then 'files'
    when former = 'files' then 'google-sheets'
    else former end
$$;

-- A file is called by its name until a run has read it.
create function name_of_spreadsheet(spreadsheet_id text, known text) returns text language sql immutable as $$
  select case when known = '' and spreadsheet_id like '%/%' then regexp_replace(spreadsheet_id, '^.*/', '') else known end
$$;

create function keep_sync_task_providers() returns trigger language plpgsql as $$
begin
  new.source_provider = provider_of(new.source_ss_id, new.source_provider);
  new.source_ss_name = name_of_spreadsheet(new.source_ss_id, new.source_ss_name);
  new.target_provider = provider_of(new.target_ss_id, new.target_provider);
  new.target_ss_name = name_of_spreadsheet(new.target_ss_id, new.target_ss_name);
  return new;
end $$;
create trigger sync_tasks_keep_providers
  before insert or update of source_ss_id, source_ss_name, target_ss_id, target_ss_name on sync_tasks
  for each row execute function keep_sync_task_providers();

create function keep_further_source_provider() returns trigger language plpgsql as $$
begin
  new.source_provider = provider_of(new.source_ss_id, new.source_provider);
  new.source_ss_name = name_of_spreadsheet(new.source_ss_id, new.source_ss_name);
  return new;
end $$;
create trigger further_sources_keep_provider before insert or update of source_ss_id, source_ss_name on further_sources
  for each row execute function keep_further_source_provider();

create function keep_source_task_provider() returns trigger language plpgsql as $$
begin
  new.provider = provider_of(new.spreadsheet_id, new.provider);
  new.spreadsheet_name = name_of_spreadsheet(new.spreadsheet_id, new.spreadsheet_name);
  return new;
end $$;
create trigger source_tasks_keep_provider before insert or update of spreadsheet_id, spreadsheet_name on source_tasks
  for each row execute function keep_source_task_provider();
