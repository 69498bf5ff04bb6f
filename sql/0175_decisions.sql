-- Fields about which sources disagree, and rules that people decided for them.

create sequence decision_batches as int;

create table compiler_decisions (
  id int generated always as identity primary key,
  compiler_config_id int not null references compiler_configs on delete cascade,
  field text not null,
  -- The different values that the rule is about: their texts in order, as a JSON array. Null: any.
  texts text,
  -- The text of the value that is used then; null: that of the source.
  text text,
  -- The source that is preferred for the field; null: it does not matter which source has the value.
  source_task_id int references tasks on delete cascade,
  reason text not null,
  author_id int references users on delete set null,
  author text not null,
  created_at timestamptz not null default now(),
  -- The change that made it, for undo.
  batch int not null,
  -- The rule that it replaced.
  replaces int references compiler_decisions on delete cascade,
  ended_at timestamptz,
  end_reason text check (end_reason in ('removed', 'replaced', 'undone')),
  ended_by text,
  check ((texts is null) = (text is null)),
  check ((texts is null) <> (source_task_id is null)),
  check ((ended_at is null) = (end_reason is null))
);
-- Texts are hashed, because an index entry is limited to 2,704 bytes.
create unique index compiler_decisions_live_idx on compiler_decisions (compiler_config_id, md5(field), md5(coalesce(texts, '')))
  where ended_at is null;
create index compiler_decisions_list_idx on compiler_decisions (compiler_config_id, id);
create index compiler_decisions_batch_idx on compiler_decisions (batch);
create index compiler_decisions_replaces_idx on compiler_decisions (replaces);
create index compiler_decisions_author_idx on compiler_decisions (author_id);
create index compiler_decisions_source_idx on compiler_decisions (source_task_id);

-- Different values for one field in stored records, by the version that holds their rows. As for the rows, there is no foreign key to
-- the version.
create table compiled_disagreements (
  id int generated always as identity primary key,
  snapshot_id int not null,
  -- Position of the field, counted from 0.
  field int not null,
  -- The texts of the values in order, as a JSON array.
  texts text not null,
  -- For each text the numbers of the sources that have it, and the number of records that it fills.
  options jsonb not null,
  records int not null,
  rows int[] not null,
  -- The rule that was applied; null: none.
  decision_id int
);
create unique index compiled_disagreements_texts_idx on compiled_disagreements (snapshot_id, field, md5(texts));
create index compiled_disagreements_list_idx on compiled_disagreements (snapshot_id, records desc, id);
create index compiled_disagreements_decision_idx on compiled_disagreements (snapshot_id, decision_id) where decision_id is not null;

-- The same by the sources that disagree.
create table compiled_disputes (
  snapshot_id int not null,
  field int not null,
  -- Their numbers.
  sources int[] not null,
  -- The rule that prefers one of them; 0: none.
  decision_id int not null,
  records int not null,
  -- Of these, those whose values are not in compiled_disagreements.
  unlisted int not null,
  primary key (snapshot_id, field, sources, decision_id)
);
