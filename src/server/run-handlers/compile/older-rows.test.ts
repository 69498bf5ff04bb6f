import { sql } from 'kysely'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { databaseBefore } from '../../../../test/fixtures/earlier-database.ts'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { TableFormats } from '../../snapshots/column-format.ts'
import { snapshotRows, textsByNumber } from '../../snapshots/snapshot.ts'
import { SnapshotWriter } from '../../snapshots/snapshot-writer.ts'
import { storeSortOrder } from '../../snapshots/store-sort-order.ts'
import { IncomingRows } from '../ingest/incoming-rows.ts'
import { firstRecords } from './preview.ts'
import { planCompile } from './rules/plan.ts'

// The same cells in different JSON spellings.
const ROWS: [before: string, since: string][] = [
  ['["007", "a / \\"b\\"", 12.5, true, null]', '["007","a \\/ \\"b\\"",12.5,true]'],
  ['["  Gr\\u00f6\\u00dfe 1", "x, y", -3, false, "#N/A"]', '["  Größe 1","x, y",-3,false,"#N\\u002fA"]'],
  ['[100000, "", 0, null, "tab\\tline\\n"]', '[1e5,"",0,"","tab\\tline\\n"]'],
  ['["", "no SKU"]', '["","no SKU"]'],
  ['["[],{}", "\\\\", 1000000, true, "Loading\\u2026"]', '["[],{}","\\\\",1.0E6,true,"Loading…"]'],
  ['["007", "again"]', '["007","again"]'],
]

test('0069: older rows are unchanged for every reader and give the same records as newer ones', async () => {
  const { db, url, upgrade } = await databaseBefore(69)
  const pool = new Pool({ connectionString: url })
  onTestFinished(() => pool.end())
  const columns = JSON.stringify(['SKU', 'Name', 'Number', 'Flag', 'Note'])
  await sql`insert into snapshots (kind, columns, header, row_count, completed_at)
    select 'source', ${columns}::jsonb, ${columns}::jsonb, ${ROWS.length}, now() from generate_series(1, 2)`.execute(
    db,
  )
  for (const [n, [before]] of ROWS.entries())
    await sql`insert into snapshot_rows (snapshot_id, row_no, cells) values (1, ${n + 1}, ${before}::jsonb)`.execute(
      db,
    )
  await upgrade()
  const writer = new SnapshotWriter(pool, 2)
  const incoming = new IncomingRows(writer, null, { title: 'Bolts', max_rows: 100 })
  for (const [, since] of ROWS) incoming.add(Buffer.from(since))
  await writer.close()

  const cells = ROWS.map(([before]) => JSON.parse(before))
  for await (const rows of snapshotRows(db, 1, 1, ROWS.length + 1)) expect(rows).toEqual(cells)
  const texts = await textsByNumber(db, 1, [2, 5])
  expect([...texts].map(([row, text]) => [row, JSON.parse(text)])).toEqual([
    [2, cells[1]],
    [5, cells[4]],
  ])
  expect(await recordsOf(1)).toEqual(await recordsOf(2))
  expect(await recordsOf(1)).toMatchObject([
    { sku: '007', is_duplicate: true, has_errors: false, has_blanks: true },
    { sku: 'Größe 1', has_errors: true },
    { sku: '100000', has_errors: false },
    { sku: '[],{}', has_errors: true, has_blanks: false },
  ])
  for (let column = 0; column < 5; column += 1)
    expect(await orderOf(1, column), `column ${column}`).toEqual(await orderOf(2, column))
  expect(await orderOf(1, 2)).toEqual([{ filled: 4, row_nos: [2, 3, 1, 5, 4, 6] }])

  async function recordsOf(snapshot_id: number) {
    const source = {
      task_id: 1,
      name: 'Bolts',
      snapshot_id,
      columns: JSON.parse(columns),
      formats: new TableFormats([]),
    }
    const plan = planCompile([{ ...source, row_count: ROWS.length, sku_mappings: {} }], {
      ...{
        required_fields: [],
        field_groups: [],
        field_priorities: [],
        column_names: [],
        field_checks: [],
        field_rules: [],
      },
    })
    const folder = await testFolder()
    return db.transaction().execute((trx) => firstRecords(trx, plan, folder))
  }

  async function orderOf(version: number, column: number) {
    await storeSortOrder(db, { version, column, row_count: ROWS.length })
    const { rows } = await sql`
      select filled, row_nos from snapshot_orders join snapshot_order_parts using (snapshot_id, column_no)
      where snapshot_id = ${version} and column_no = ${column}`.execute(db)
    return rows
  }
})
