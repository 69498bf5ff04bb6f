-- Kinds of notifications that a user gets by mail, too, and how far they were sent.
create table notification_mails (
  user_id int primary key references users on delete cascade,
  kinds text[] not null,
  -- Everything up to these ids was sent, or is older than the choice of the user.
  alarm_id int not null,
  change_id bigint not null,
  -- When it is looked again; moved forward by whoever sends.
  due_at timestamptz not null default now(),
  -- Failed attempts in a row.
  attempts int not null default 0,
  updated_at timestamptz not null default now()
);
