-- Who keeps a task's source and target, and by what its provider finds the table again, whatever that is called: the provider's own
-- business, so a text. The numbers are for processes of the version before, which know nothing else; a later version drops them.
alter table sync_tasks
  add column source_provider text not null default 'google-sheets',
  add column source_place text,
  add column target_provider text not null default 'google-sheets',
  add column target_place text;
alter table source_tasks
  add column provider text not null default 'google-sheets',
  add column place text;

update sync_tasks set source_place = source_sheet_id, target_place = target_sheet_id
where source_sheet_id is not null or target_sheet_id is not null;
update source_tasks set place = sheet_id where sheet_id is not null;

-- Of the same name: processes of the version before know it by that.
drop index sync_tasks_target_sheet_key;
create unique index sync_tasks_target_sheet_key on sync_tasks (target_ss_id, target_place);

-- Null: it is no number of Google's.
create function sheet_number(place text) returns int language sql immutable as $$
  select case when place ~ '^[0-9]{1,10}$' then case when place::bigint <= 2147483647 then place::int end end
$$;

create function keep_sync_task_numbers() returns trigger language plpgsql as $$
begin
  if new.source_place is distinct from old.source_place then
    new.source_sheet_id = sheet_number(new.source_place);
  elsif new.source_sheet_id is distinct from old.source_sheet_id then
    new.source_place = new.source_sheet_id;
  end if;
  if new.target_place is distinct from old.target_place then
    new.target_sheet_id = sheet_number(new.target_place);
  elsif new.target_sheet_id is distinct from old.target_sheet_id then
    new.target_place = new.target_sheet_id;
  end if;
  return new;
end $$;
create trigger sync_tasks_keep_numbers
  before insert or update of source_place, source_sheet_id, target_place, target_sheet_id on sync_tasks
  for each row execute function keep_sync_task_numbers();

create function keep_source_task_numbers() returns trigger language plpgsql as $$
begin
  if new.place is distinct from old.place then
    new.sheet_id = sheet_number(new.place);
  elsif new.sheet_id is distinct from old.sheet_id then
    new.place = new.sheet_id;
  end if;
  return new;
end $$;
create trigger source_tasks_keep_numbers before insert or update of place, sheet_id on source_tasks
  for each row execute function keep_source_task_numbers();
