-- When the spreadsheet names that a task lacks are looked up; null: they have been, and its runs find out the rest.
alter table sync_tasks add column names_due_at timestamptz default now();
create index sync_tasks_nameless_idx on sync_tasks (names_due_at)
  where target_ss_name = '' or (source_type = 'sheet' and source_ss_name = '');
