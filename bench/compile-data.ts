import type { Client } from 'pg'

/** Sources of a compile: each has about 10/13 of all SKUs, the first one sorted by SKU, the others shuffled. */
export const SOURCES = 5
/** Fields of each source besides its SKU; every third one contains numbers, every fourth one booleans, the others text. */
export const FIELDS = Array.from({ length: 19 }, (_, n) => `Field ${n + 1}`)

export type FieldKind = 'number' | 'boolean' | 'text'
export const kindOf = (field: number): FieldKind =>
  field % 3 === 0 ? 'number' : field % 4 === 0 ? 'boolean' : 'text'

// A deterministic number from 0 to 999,999.
const draw = (...parts: (string | number)[]) =>
  `abs(hashint8extended(sku, ${parts.join(' * 1000 + ')})) % 1000000`

function cell(source: number, field: number): string {
  const value = {
    number: `trim_scale((${draw(source, field)}) / 4.0)`,
    boolean: `${draw(source, field)} < 500000`,
    text: `'Value ' || ${draw(source, field)}`,
  }[kindOf(field)]
  // 20 % of the cells are blank, 0.1 % are errors.
  const error =
    kindOf(field) === 'text' ? `when ${draw(source, field + 100)} < 201000 then to_jsonb('#N/A'::text)` : ''
  return `case when ${draw(source, field + 100)} < 200000 then 'null'::jsonb ${error} else to_jsonb(${value}) end`
}

// No value contains a comma, so every ', ' was inserted by PostgreSQL.
const stored = (cells: string) => `replace((${cells})::text, ', ', ',')::json`

/** Generates and stores the rows of all sources for this number of SKUs; returns the ids of their versions. */
export async function fillSources(client: Client, skus: number): Promise<number[]> {
  const ids: number[] = []
  for (let source = 1; source <= SOURCES; source += 1) {
    const columns = JSON.stringify(['SKU', ...FIELDS])
    const { rows } = await client.query<{ id: number }>(
      `with task as (
        insert into tasks (category, name, sort_order) values ('source', $1, $2) returning id
      ), version as (
        insert into snapshots (task_id, kind, columns, header, formats, completed_at)
        select id, 'source', $3::jsonb, $3::jsonb, '[]', now() from task returning id, task_id
      )
      select id, task_id from version`,
      [`Source ${source}`, source, columns],
    )
    const id = rows[0]?.id ?? 0
    const cells = FIELDS.map((_, n) => cell(source, n + 1))
    await client.query(`
      insert into snapshot_rows (snapshot_id, row_no, cells)
      select ${id}, row_number() over (order by ${source === 1 ? 'sku' : draw(source, 77)}, sku),
        ${stored(`jsonb_build_array('SKU-' || lpad(sku::text, 8, '0'), ${cells.join(', ')})`)}
      from generate_series(1, ${skus}::bigint) sku
      where ${source === 1 ? `sku <= ${Math.round(skus / 1.3)}` : `${draw(source, 55)} < 769231`}`)
    await client.query(
      `with counted as (
        update snapshots set row_count = (select count(*) from snapshot_rows where snapshot_id = ${id}) where id = ${id} returning task_id
      )
      update tasks set snapshot_id = ${id} from counted where tasks.id = counted.task_id`,
    )
    ids.push(id)
  }
  return ids
}

/** Stores a new version of a source (counted from 1) in which 1 % of the rows differ; returns its id. */
export async function changeSource(client: Client, source: number, nth: number): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `insert into snapshots (task_id, kind, columns, header, formats, row_count, completed_at)
     select s.task_id, s.kind, s.columns, s.header, s.formats, s.row_count, now()
     from tasks t join snapshots s on s.id = t.snapshot_id where t.category = 'source' and t.sort_order = $1 returning id`,
    [source],
  )
  const id = rows[0]?.id ?? 0
  await client.query(`
    insert into snapshot_rows (snapshot_id, row_no, cells)
    select ${id}, row_no, case when row_no % 100 = ${nth} then ${stored(`jsonb_set(cells::jsonb, '{1}', to_jsonb('Another ' || row_no))`)} else cells end
    from snapshot_rows where snapshot_id = (select snapshot_id from tasks where category = 'source' and sort_order = ${source})`)
  await client.query(
    `update tasks set snapshot_id = ${id} where category = 'source' and sort_order = ${source}`,
  )
  return id
}

/** Adds a configuration that merges all source tasks; returns its task's id. */
export async function fillConfig(client: Client): Promise<number> {
  const { rows } = await client.query<{ task_id: number }>(`
    with task as (
      insert into tasks (category, name, sort_order) values ('compiler', 'Catalogue', 1) returning id
    ), config as (insert into compiler_configs (task_id) select id from task returning id, task_id)
    , merged as (
      insert into compiler_sources (compiler_config_id, source_task_id, position, is_master)
      select config.id, tasks.id, sort_order, sort_order = 1 from config, tasks where category = 'source'
    )
    select task_id from config`)
  return rows[0]?.task_id ?? 0
}
