-- Names of tabs that people cannot tell apart mean one tab: full-width and composed letters, other case, characters without a width.
-- An existing pair of tasks stays as it is, and its runs go on refusing the second one; so this is no index.
create function tab_key(name text) returns text language sql immutable parallel safe as $$
  select lower(normalize(
    regexp_replace(name, '[\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]', '', 'g'), NFKC))
$$;

create function refuse_same_tab() returns trigger language plpgsql as $$
begin
  if new.source_type = 'sheet' and new.source_ss_id = new.target_ss_id
    and tab_key(new.source_sheet_name) = tab_key(new.target_sheet_name) then
    raise check_violation using message = 'source and target are the same tab', constraint = 'sync_tasks_source_is_target_check';
  end if;
  -- Served by sync_tasks_target_key.
  if exists (
    select from sync_tasks other
    where other.target_ss_id = new.target_ss_id and other.task_id <> new.task_id
      and tab_key(other.target_sheet_name) = tab_key(new.target_sheet_name)
      and lower(other.target_sheet_name) <> lower(new.target_sheet_name)
  ) then
    raise unique_violation using message = 'another task writes this tab', constraint = 'sync_tasks_target_key';
  end if;
  return new;
end $$;

create trigger sync_tasks_refuse_same_tab before insert on sync_tasks
  for each row execute function refuse_same_tab();
create trigger sync_tasks_refuse_same_tab_later before update on sync_tasks
  for each row when ((new.source_type, new.source_ss_id, new.source_sheet_name, new.target_ss_id, new.target_sheet_name)
    is distinct from (old.source_type, old.source_ss_id, old.source_sheet_name, old.target_ss_id, old.target_sheet_name))
  execute function refuse_same_tab();
