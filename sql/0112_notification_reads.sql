-- How far each user has read their notifications, which are computed from alarms and from changes of notes: decision 136.
create table notification_reads (
  user_id int primary key references users on delete cascade,
  -- Everything up to these ids is read.
  alarm_id int not null default 0,
  change_id bigint not null default 0,
  -- Later ones that were read one by one, such as "alarm 12".
  keys text[] not null default '{}',
  updated_at timestamptz not null default now()
);
create index alarms_task_idx on alarms (task_id, id) where task_id is not null;
create index setting_changes_notes_idx on setting_changes (id) where after ? 'notes';
