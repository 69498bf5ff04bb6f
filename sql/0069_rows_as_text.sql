-- oldest program: 0069
-- Stored rows lie as the text of their JSON: whoever reads all rows of a version, as a compile does, is sent them as they lie,
-- where each used to be written out anew. Every stored row is written once more by this; it takes its time, and meanwhile the room of both.
-- Stop every process before this upgrade: programs from before would store rows in a form that is no row of this column.

alter table snapshot_rows alter column cells type json;
