-- Decisions about overrides, for their undo. They are kept for a day.
create table override_decisions (
  -- The change, numbered like those that set overrides.
  batch int not null,
  override_id int not null references compiler_overrides on delete cascade,
  decision text not null check (decision in ('keep', 'drop')),
  -- The override's accepted values before and after it.
  former jsonb,
  accepted jsonb,
  at timestamptz not null default now(),
  primary key (batch, override_id)
);
create index override_decisions_override_idx on override_decisions (override_id);
create index override_decisions_at_idx on override_decisions (at);
