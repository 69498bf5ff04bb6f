-- What is not well and has been noticed: one row from its begin to its end, so that each is told once and its end once.
create table alarms (
  id int generated always as identity primary key,
  kind text not null,
  -- What it is about, such as "task 12".
  subject text not null,
  category text,
  task_id int references tasks on delete cascade,
  task_type_id int references task_types on delete set null,
  title text not null,
  reason text not null,
  began_at timestamptz not null default now(),
  over_at timestamptz
);
create unique index alarms_open_key on alarms (kind, subject) where over_at is null;

-- Who is told of them beside people's mail. The address, which lets whoever has it write there, and the key that signs are sealed.
create table webhooks (
  id int generated always as identity primary key,
  name text not null,
  format text not null check (format in ('plain', 'slack', 'teams')),
  host text not null,
  sealed bytea not null,
  key_id text not null,
  -- Empty lists of categories and types: all of them.
  kinds text[] not null,
  categories text[] not null,
  task_type_ids int[] not null,
  tells_end boolean not null,
  quiet_from text,
  quiet_to text,
  is_active boolean not null,
  last_sent_at timestamptz,
  -- Why the last message did not arrive; null: it did.
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint webhooks_name_key unique (name)
);

-- One row for each alarm's begin or end that a webhook is told of.
create table webhook_messages (
  webhook_id int not null references webhooks on delete cascade,
  alarm_id int not null references alarms on delete cascade,
  event text not null check (event in ('began', 'over')),
  -- When it is tried next; null: it has left, or was given up.
  due_at timestamptz,
  attempts int not null default 0,
  primary key (webhook_id, alarm_id, event)
);
create index webhook_messages_due_idx on webhook_messages (due_at) where due_at is not null;
create index webhook_messages_alarm_idx on webhook_messages (alarm_id);
