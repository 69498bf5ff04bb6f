-- What looks among source tasks for others: each by an index.

create index source_tasks_spreadsheet_idx on source_tasks (spreadsheet_id) where spreadsheet_name <> '';
-- A snapshot that goes asks which tasks have it waiting.
create index tasks_waiting_snapshot_idx on tasks (waiting_snapshot_id) where waiting_snapshot_id is not null;
