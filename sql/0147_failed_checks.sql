-- What the checks of a compile found.

-- The checks that a version was compiled with, in the order of their numbers, counted from 0.
alter table compiled_versions add column field_checks jsonb not null default '[]';

create table compiled_failures (
  snapshot_id int not null references compiled_versions on delete cascade,
  check_no int not null,
  -- Bit set of the records that fail.
  rows bytea not null,
  -- Of checks of a median: the field's median; null: no record has a number.
  median float8,
  primary key (snapshot_id, check_no)
);
alter table compiled_failures alter column rows set storage external;
