-- What the runs of a sync task wrote into a target whose rows they match: hashes of 8 bytes, of keys or of whole rows.

create table written_rows (
  task_id int primary key references tasks on delete cascade,
  hashes bytea not null,
  -- As it will be when the last run has recorded its end; null: it has.
  pending bytea
);
