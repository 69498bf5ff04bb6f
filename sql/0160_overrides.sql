-- Values that people set for one field of one SKU, in place of what the sources have.

create sequence override_batches as int;

create table compiler_overrides (
  id int generated always as identity primary key,
  compiler_config_id int not null references compiler_configs on delete cascade,
  -- In the form in which SKUs are compared.
  sku text not null,
  field text not null,
  value jsonb not null,
  reason text not null,
  -- The last day on which it applies, in the time zone of schedules; null: no end.
  ends_on date,
  state text not null default 'active' check (state in ('active', 'review', 'ended')),
  -- What the last compile found; null: it has not been compiled yet.
  found text check (found in ('applied', 'no_sku', 'no_field')),
  -- Values of the sources, by the id of their task, with which the override was set or kept; null: those of the next compile.
  accepted jsonb,
  -- Values of the sources in the last compile.
  observed jsonb,
  author_id int references users on delete set null,
  author text not null,
  created_at timestamptz not null default now(),
  -- The change that set it, for undo.
  batch int not null,
  -- The override that it replaced.
  replaces int references compiler_overrides on delete cascade,
  ended_at timestamptz,
  end_reason text check (end_reason in ('date', 'same', 'dropped', 'replaced', 'undone')),
  -- Null: a compile ended it.
  ended_by text,
  check ((state = 'ended') = (ended_at is not null and end_reason is not null))
);
-- Texts are hashed, because an index entry is limited to 2,704 bytes.
create unique index compiler_overrides_cell_idx on compiler_overrides (compiler_config_id, md5(sku), md5(field))
  where state <> 'ended';
create index compiler_overrides_list_idx on compiler_overrides (compiler_config_id, id);
create index compiler_overrides_batch_idx on compiler_overrides (batch);
create index compiler_overrides_replaces_idx on compiler_overrides (replaces);
create index compiler_overrides_author_idx on compiler_overrides (author_id);

-- The overrides in stored records, by the version that holds their rows. As for the rows, there is no foreign key to the version.
create table compiled_overrides (
  snapshot_id int not null,
  row_no int not null,
  -- Position of the field, counted from 0.
  field int not null,
  override_id int not null,
  primary key (snapshot_id, row_no, field)
);
