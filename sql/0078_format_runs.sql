-- Number formats of columns whose cells have different ones: by column, from which data row on which format holds.
alter table snapshots add column format_runs jsonb not null default '{}';
