-- SKUs as a search looks through them, in place of compiled_sku_parts, whose SKUs had to be counted; processes of the version
-- before still read that one.
create table compiled_sku_texts (
  snapshot_id int not null,
  -- From 0, each of so many rows.
  part_no int not null,
  -- In lower case, each with its number in the part behind it.
  skus text not null,
  primary key (snapshot_id, part_no)
);
alter table compiled_sku_texts alter column skus set storage external;
