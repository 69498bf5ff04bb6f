-- Stored rows come and go by the hundred thousand between two looks of ANALYZE, so what it finds is always about other rows.
-- Without it every plan follows the primary key, on a fresh database as on one that has lived.
-- Setting a column's type anew is what removes the statistics it has; the table is not rewritten.

alter table snapshot_rows
  alter column snapshot_id set statistics 0, alter column snapshot_id type int,
  alter column row_no set statistics 0, alter column row_no type int,
  alter column cells set statistics 0, alter column cells type jsonb;

alter table snapshot_order_parts
  alter column snapshot_id set statistics 0, alter column snapshot_id type int,
  alter column column_no set statistics 0, alter column column_no type int,
  alter column part_no set statistics 0, alter column part_no type int,
  alter column row_nos set statistics 0, alter column row_nos type int[];
