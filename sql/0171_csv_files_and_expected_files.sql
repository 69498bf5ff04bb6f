-- How a source task reads a CSV file, and how often a new file is expected.
alter table source_tasks
  add column csv_delimiter text not null default 'auto'
    constraint source_tasks_csv_delimiter_check check (csv_delimiter in ('auto', ',', ';', E'\t', '|')),
  add column csv_encoding text not null default 'auto',
  add column csv_quote text not null default 'auto'
    constraint source_tasks_csv_quote_check check (csv_quote in ('auto', '"', '''')),
  -- Hours after which a file that has not changed raises an alarm; null: none does.
  add column file_expected_hours int
    constraint source_tasks_file_expected_hours_check check (file_expected_hours between 1 and 8760);

-- The format decides what a task reads, as its tab does.
drop trigger source_tasks_move_versions on source_tasks;
create trigger source_tasks_move_versions after update on source_tasks for each row
  when ((old.source_type, old.provider, old.spreadsheet_id, old.start_row, old.connection_id, old.origin_task_id, old.min_rows_percent,
      old.max_rows, old.csv_delimiter, old.csv_encoding, old.csv_quote)
    is distinct from (new.source_type, new.provider, new.spreadsheet_id, new.start_row, new.connection_id, new.origin_task_id,
      new.min_rows_percent, new.max_rows, new.csv_delimiter, new.csv_encoding, new.csv_quote)
    or (old.sheet_name <> new.sheet_name and new.place is null))
  execute function task_definition_changed();

drop trigger source_tasks_record_setting_changes on source_tasks;
create trigger source_tasks_record_setting_changes after update on source_tasks for each row
  when ((old.source_type, old.spreadsheet_id, old.sheet_name, old.source_identifier, old.start_row, old.is_master_catalog,
      old.description, old.min_rows_percent, old.max_rows, old.csv_delimiter, old.csv_encoding, old.csv_quote, old.file_expected_hours)
    is distinct from (new.source_type, new.spreadsheet_id, new.sheet_name, new.source_identifier, new.start_row,
      new.is_master_catalog, new.description, new.min_rows_percent, new.max_rows, new.csv_delimiter, new.csv_encoding, new.csv_quote,
      new.file_expected_hours))
  execute function record_setting_changes('task_id', 'source_type', 'spreadsheet_id', 'sheet_name', 'source_identifier',
    'start_row', 'is_master_catalog', 'description', 'min_rows_percent', 'max_rows', 'csv_delimiter', 'csv_encoding', 'csv_quote',
    'file_expected_hours');

-- Alarms about missed runs also report missing files.
update webhooks set kinds = kinds || '{file}'::text[] where 'missed' = any (kinds) and not 'file' = any (kinds);
