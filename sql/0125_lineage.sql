-- Where the rows of a stored version were read, so that a cell can be followed to its source.
alter table snapshots
  -- Of copies, for each column its column in the source, counted from 0; null: not known.
  add column source_columns int[],
  -- The stored version of another task that was read. Without a foreign key, because versions are removed; null: none, or not known.
  add column read_snapshot_id int;
