-- Limits of sync tasks: what a run may remove, empty or change, and conditions of its columns. Members that a task does not set have
-- the defaults in `settings` under 'run_limits'.
alter table sync_tasks add column limits jsonb not null default '{}'
  constraint sync_tasks_limits_check check (jsonb_typeof(limits) = 'object');

drop trigger sync_tasks_record_setting_changes on sync_tasks;
create trigger sync_tasks_record_setting_changes after update on sync_tasks for each row
  when ((old.source_type, old.source_ss_id, old.source_sheet_name, old.target_ss_id, old.target_sheet_name,
      old.source_compiler_config_id, old.sync_preset_id, old.start_row, old.limits)
    is distinct from (new.source_type, new.source_ss_id, new.source_sheet_name, new.target_ss_id, new.target_sheet_name,
      new.source_compiler_config_id, new.sync_preset_id, new.start_row, new.limits))
  execute function record_setting_changes('task_id', 'source_type', 'source_ss_id', 'source_sheet_name', 'target_ss_id',
    'target_sheet_name', 'source_compiler_config_id', 'sync_preset_id', 'start_row', 'limits');

-- The limits that a plan exceeds, as a list of kinds and sentences; null: none. A run that ends because of them leaves its plan.
alter table plans add column limits jsonb;

-- As before, and without the time since when a task has met its limit.
create or replace function failure_cause(kind text, reason text) returns text language sql immutable parallel safe as $$
  select md5(kind || ' ' || regexp_replace(
    regexp_replace(regexp_replace(reason, ' This has been so since [^.]*\.$', ''),
      '‘[^’]*’ in ‘|a tab called ‘[^’]*’', '‘', 'g'),
    '(‘[^’]*’)|\m(?:[A-Z]{0,3}\d[\d,.:]*|[0-9a-f]{8,}(?:-[0-9a-f]+)*)\M', '\1#', 'g'))
$$;

-- Runs beyond a limit have an alarm kind of their own; alarms about failed tasks continue to report them.
update webhooks set kinds = kinds || '{limit}'::text[] where 'failed' = any (kinds) and not 'limit' = any (kinds);
