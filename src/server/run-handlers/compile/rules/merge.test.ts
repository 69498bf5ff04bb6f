import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import type { MergeSettings } from '../../../../contract/compiler/configs.ts'
import { TableFormats } from '../../../snapshots/column-format.ts'
import { GatheredRows } from '../storage/gathered-rows.ts'
import { PartitionedSpillFile } from '../storage/partitioned-spill-file.ts'
import { Merge } from './merge.ts'
import { planCompile } from './plan.ts'

const noSettings: MergeSettings = {
  required_fields: [],
  field_groups: [],
  field_priorities: [],
  column_names: [],
  field_checks: [],
  field_rules: [],
}

/** Merges tables whose first row has the columns and whose first column is the SKU; the first table is the master. */
async function merged(tables: unknown[][][], settings: Partial<MergeSettings> = {}) {
  const versions = tables.map(([header = [], ...rows], n) => ({
    task_id: n + 1,
    name: `Source ${n + 1}`,
    snapshot_id: n + 1,
    columns: header.map(String),
    formats: new TableFormats([]),
    row_count: rows.length,
    sku_mappings: {},
  }))
  const plan = planCompile(versions, { ...noSettings, ...settings })
  const spill = new PartitionedSpillFile(tmpdir())
  const gathered = new GatheredRows(plan, spill)
  for (const [source, [, ...rows]] of tables.entries())
    for (const [n, row] of rows.entries()) {
      const bytes = Buffer.from(JSON.stringify(row))
      gathered.take(source, n + 1, bytes, 0, bytes.length)
    }
  const merge = new Merge(plan, gathered.skus, { unchanged: { skus: 0, rows: 0 }, same_fields: false })
  const records: { cells: unknown; sources: number[]; is_duplicate: boolean }[] = []
  for await (const partition of spill.load())
    for (const { cells, field_sources, is_duplicate } of merge.records(partition))
      records.push({
        cells: JSON.parse(cells.bytes.toString('utf8', 0, cells.end)),
        sources: [...field_sources],
        is_duplicate,
      })
  await spill.close()
  return records
}

test.each([
  ['null', null],
  ['an empty text', ''],
  ['a text of blanks', ' \t\u00a0'],
])('a master cell with %s takes the value of the next source', async (_, blank) => {
  const [record] = await merged([
    [
      ['SKU', 'Name'],
      ['A', blank],
    ],
    [
      ['SKU', 'Name'],
      ['A', 'Chair'],
    ],
  ])
  expect(record).toMatchObject({ cells: ['A', 'Chair'], sources: [2] })
})

test.each([0, false])('a master cell with %s is a value', async (value) => {
  const [record] = await merged([
    [
      ['SKU', 'Stock'],
      ['A', value],
    ],
    [
      ['SKU', 'Stock'],
      ['A', 9],
    ],
  ])
  expect(record).toMatchObject({ cells: ['A', value], sources: [1] })
})

test('a group is filled from one source, and a duplicate SKU keeps its first row', async () => {
  const tables = [
    [
      ['SKU', 'Price', 'Currency'],
      ['A', null, 'EUR'],
      ['A', 1, 'USD'],
    ],
    [
      ['SKU', 'Price', 'Currency'],
      [' A ', 2, 'GBP'],
    ],
  ]
  expect(await merged(tables)).toEqual([{ cells: ['A', 2, 'EUR'], sources: [2, 1], is_duplicate: true }])
  expect(await merged(tables, { field_groups: [['Price', 'Currency']] })).toEqual([
    { cells: ['A', null, 'EUR'], sources: [0, 1], is_duplicate: true },
  ])
})
