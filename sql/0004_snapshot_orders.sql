-- The order of a large snapshot's rows by one of its columns, made when somebody first sorts by it: each page of it is
-- then as quick as an unsorted one.

create table snapshot_orders (
  snapshot_id int not null references snapshots on delete cascade,
  -- Position in snapshots.columns, from 0.
  column_no int not null,
  -- Rows with a value in that column; they come first, the blank ones after them.
  filled int not null,
  created_at timestamptz not null default now(),
  primary key (snapshot_id, column_no)
);

create table snapshot_order_parts (
  snapshot_id int not null,
  column_no int not null,
  -- From 0. Each holds the next 1,000 row numbers, ascending by value.
  part_no int not null,
  row_nos int[] not null,
  primary key (snapshot_id, column_no, part_no),
  foreign key (snapshot_id, column_no) references snapshot_orders on delete cascade
);
