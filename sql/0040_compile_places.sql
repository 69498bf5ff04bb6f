-- A compile finds the rows of its sources where they lie, and numbers its records as it merges them: `row_no` is the place of a SKU's
-- first row among the rows of all sources, one source after the other, so that two connections gather at once; 0 has the rows without a SKU.

-- Where the first row of each source is; whoever reads there looks whether it is that row.
alter table compile_keys add column source_places tid[];
