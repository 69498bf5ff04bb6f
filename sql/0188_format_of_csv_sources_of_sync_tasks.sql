-- How the CSV files that a sync task reads are read. Null: as it is found in the file.

alter table sync_tasks
  add column source_csv_delimiter text
    constraint sync_tasks_source_csv_delimiter_check check (source_csv_delimiter in (',', ';', e'\t', '|')),
  add column source_csv_encoding text,
  add column source_csv_quote text constraint sync_tasks_source_csv_quote_check check (source_csv_quote in ('"', ''''));

drop trigger sync_tasks_record_setting_changes on sync_tasks;
create trigger sync_tasks_record_setting_changes after update on sync_tasks for each row
  when ((old.source_type, old.source_ss_id, old.source_sheet_name, old.target_ss_id, old.target_sheet_name,
      old.source_compiler_config_id, old.sync_preset_id, old.start_row, old.limits, old.columns, old.include_new_columns, old.filter,
      old.sort_by, old.max_rows, old.extra_columns, old.write_mode, old.key_columns, old.on_missing, old.mark_column, old.mark_text,
      old.on_bad_keys, old.find_columns_by_header, old.on_cells_beside, old.more_sources, old.split_by, old.split_tab_name,
      old.target_csv_delimiter, old.target_csv_encoding, old.completeness, old.source_csv_delimiter,
      old.source_csv_encoding, old.source_csv_quote)
    is distinct from (new.source_type, new.source_ss_id, new.source_sheet_name, new.target_ss_id, new.target_sheet_name,
      new.source_compiler_config_id, new.sync_preset_id, new.start_row, new.limits, new.columns, new.include_new_columns, new.filter,
      new.sort_by, new.max_rows, new.extra_columns, new.write_mode, new.key_columns, new.on_missing, new.mark_column, new.mark_text,
      new.on_bad_keys, new.find_columns_by_header, new.on_cells_beside, new.more_sources, new.split_by, new.split_tab_name,
      new.target_csv_delimiter, new.target_csv_encoding, new.completeness, new.source_csv_delimiter,
      new.source_csv_encoding, new.source_csv_quote))
  execute function record_setting_changes('task_id', 'source_type', 'source_ss_id', 'source_sheet_name', 'target_ss_id',
    'target_sheet_name', 'source_compiler_config_id', 'sync_preset_id', 'start_row', 'limits', 'columns', 'include_new_columns',
    'filter', 'sort_by', 'max_rows', 'extra_columns', 'write_mode', 'key_columns', 'on_missing', 'mark_column', 'mark_text',
    'on_bad_keys', 'find_columns_by_header', 'on_cells_beside', 'more_sources', 'split_by', 'split_tab_name',
    'target_csv_delimiter', 'target_csv_encoding', 'completeness', 'source_csv_delimiter', 'source_csv_encoding', 'source_csv_quote');
