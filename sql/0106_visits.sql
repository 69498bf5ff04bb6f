-- The current visit of each user and the end of the one before, for "since your last visit". A visit ends after 30 minutes without
-- activity.
create table visits (
  user_id int primary key references users on delete cascade,
  started_at timestamptz not null default now(),
  last_active_at timestamptz not null default now(),
  -- Last activity of the previous visit; null: this is the first one.
  previous_ended_at timestamptz
);

-- What other users changed since then.
create index audit_log_at_idx on audit_log (at);
