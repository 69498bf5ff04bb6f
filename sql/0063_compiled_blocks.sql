-- oldest program: 0063
-- Compiled records lie many in a row: a compile writes a sixty-fourth of the rows, and needs no index of SKUs.
-- Stop every process before this upgrade: programs from before it look for records where they were.

create table compiled_blocks (
  snapshot_id int not null,
  -- Of the first record; there are 64 at most, fewer where they are large.
  first_row int not null,
  skus text[] not null,
  -- Where the cells of each record end in `cells`, which has those of all of them as JSON, one behind the other.
  ends int[] not null,
  cells bytea not null,
  -- A byte for each record, for each source one list behind the other: how often it has the SKU, 2 for more than once. For each
  -- field: the number of the source that filled it, 0 where it is blank. What is missing at the end is 0.
  found bytea not null,
  field_sources bytea not null,
  -- Of each record the row in each source, four bytes each, 0 where it has none; empty where they are not known.
  source_rows bytea not null,
  -- Of each record when it was created and changed, eight bytes each: microseconds since 2000.
  times bytea not null,
  -- Of each record a hash of its cells, eight bytes; null: not known.
  hashes bytea,
  -- Of each record its row in the compile before, four bytes, 0 where it had none; empty where they are not known.
  before_rows bytea not null,
  primary key (snapshot_id, first_row)
) with (toast_tuple_target = 8160);
-- As for stored rows, whatever is found out about these is about others: all plans follow the key.
alter table compiled_blocks
  alter column snapshot_id set statistics 0, alter column first_row set statistics 0, alter column skus set statistics 0,
  alter column ends set statistics 0, alter column cells set statistics 0, alter column found set statistics 0,
  alter column field_sources set statistics 0, alter column source_rows set statistics 0, alter column times set statistics 0,
  alter column hashes set statistics 0, alter column before_rows set statistics 0,
  alter column cells set storage external, alter column found set storage external,
  alter column field_sources set storage external, alter column source_rows set storage external,
  alter column times set storage external, alter column hashes set storage external, alter column before_rows set storage external;

-- What the compile has added and changed, and of the version before what it has not found any more: sets as those of flags.
alter table compiled_versions
  add column added_rows bytea not null default '', add column changed_rows bytea not null default '',
  add column gone_rows bytea not null default '';
alter table compiled_versions alter column added_rows set storage external, alter column changed_rows set storage external,
  alter column gone_rows set storage external;

-- Whose rows the versions read, how many sources and fields those have at most, and whose rows are those of before.
create temp table owners on commit drop as
select coalesce(s.rows_of, s.id) as id, max(jsonb_array_length(v.sources)) as sources,
  max(jsonb_array_length(s.columns)) - 1 as fields, max(coalesce(b.rows_of, b.id)) as before_id
from compiled_versions v join snapshots s on s.id = v.snapshot_id
left join tasks t on t.snapshot_id = s.id left join snapshots b on b.id = t.before_snapshot_id
group by 1;

create temp table records on commit drop as
select o.id, o.sources, o.fields, c.row_no, (c.row_no - 1) / 64 * 64 + 1 as first_row, coalesce(r.sku, c.cells ->> 0, '') as sku,
  convert_to(c.cells::text, 'UTF8') as cells, r.found_in, r.twice_in, r.field_sources, r.source_rows,
  coalesce(r.created_at, s.created_at, now()) as created_at, coalesce(r.updated_at, s.created_at, now()) as updated_at,
  coalesce(b.row_no, 0) as before_row
from owners o
join snapshot_rows c on c.snapshot_id = o.id
left join compiled_records r on r.snapshot_id = c.snapshot_id and r.row_no = c.row_no
left join compiled_records b on b.snapshot_id = o.before_id and b.sku = r.sku
left join snapshots s on s.id = o.id;

create function pg_temp.byte(value int) returns bytea language sql immutable as $$ select set_byte('\x00'::bytea, 0, value) $$;
create function pg_temp.bit(words int[], number int) returns int language sql immutable as $$
  select coalesce(words[(number - 1) / 30 + 1] >> ((number - 1) % 30) & 1, 0) $$;

insert into compiled_blocks (snapshot_id, first_row, skus, ends, cells, found, field_sources, source_rows, times, before_rows)
with block as (
  select id, first_row, array_agg(sku order by row_no) as skus, array_agg(place::int order by row_no) as ends,
    string_agg(cells, '' order by row_no) as cells,
    string_agg(timestamptz_send(created_at) || timestamptz_send(updated_at), '' order by row_no) as times,
    string_agg(int4send(before_row), '' order by row_no) as before_rows
  from (select *, sum(length(cells)) over (partition by id, first_row order by row_no) as place from records) r group by 1, 2
), by_source as (
  select id, first_row,
    string_agg(pg_temp.byte(pg_temp.bit(found_in, number) + pg_temp.bit(twice_in, number)), '' order by number, row_no) as found,
    string_agg(int4send(coalesce(source_rows[number], 0)), '' order by row_no, number) as source_rows
  from records, generate_series(1, sources) number group by 1, 2
), by_field as (
  select id, first_row,
    string_agg(pg_temp.byte(coalesce(field_sources[number], 0)), '' order by number, row_no) as field_sources
  from records, generate_series(1, fields) number group by 1, 2
)
select id, first_row, skus, ends, cells, coalesce(found, ''), coalesce(field_sources, ''), coalesce(source_rows, ''), times, before_rows
from block left join by_source using (id, first_row) left join by_field using (id, first_row);

-- Sets of rows that a query finds.
create function pg_temp.rows_of(row_nos int[], count int) returns bytea language sql as $$
  select coalesce(string_agg(pg_temp.byte(bits), '' order by byte_no), '') from (
    select byte_no, bit_or(bits) as bits from (
      select byte_no, 0 as bits from generate_series(0, (count + 7) / 8 - 1) as bytes (byte_no)
      union all select (row_no - 1) / 8, 1 << ((row_no - 1) % 8) from unnest(row_nos) as row_no
    ) each_row group by byte_no
  ) each_byte
$$;
update compiled_versions v set
  added_rows = pg_temp.rows_of(array(select row_no from records where id = o.id and created_at >= s.created_at), s.stored),
  changed_rows = pg_temp.rows_of(array(
    select row_no from records where id = o.id and created_at < s.created_at and updated_at >= s.created_at), s.stored),
  gone_rows = pg_temp.rows_of(array(
    select b.row_no from compiled_records b where b.snapshot_id = o.before_id and not exists (
      select from compiled_records r where r.snapshot_id = o.id and r.sku = b.sku)),
    coalesce((select max(row_no) from compiled_records where snapshot_id = o.before_id), 0))
from (select id, coalesce(rows_of, id) as rows_of, created_at, row_count + bit_count(removed)::int as stored from snapshots) s
join owners o on o.id = s.rows_of
where s.id = v.snapshot_id and v.snapshot_id in (select snapshot_id from tasks);

delete from snapshot_rows r using owners o where r.snapshot_id = o.id;
drop table compiled_records;
-- Of versions before the one before.
drop table compile_keys;
drop table compiled_sku_parts;
-- Found under names that are not used any more.
delete from compiled_sets where name like 'added %' or name like 'changed %' or name like 'gone %';
