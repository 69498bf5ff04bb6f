-- Which rows of which sources a compile under way merges into which record. Nobody but that compile reads these, and it removes them;
-- after a crash it begins anew.
create unlogged table compile_keys (
  snapshot_id int not null,
  row_no int not null,
  sku text not null,
  -- Of each source, in the order in which they win: its first row with the SKU, and how many it has.
  source_rows int[] not null,
  row_counts int[] not null,
  primary key (snapshot_id, row_no)
);
