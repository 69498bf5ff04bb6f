import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { TableFormats } from '../../snapshots/column-format.ts'
import type { SourceVersion } from './rules/compile-plan.ts'
import { Merge } from './rules/merge.ts'
import { planCompile } from './rules/plan.ts'
import { mergedFrom, RULES } from './rules/same-merge.ts'
import { GatheredRows } from './storage/gathered-rows.ts'
import { PartitionedSpillFile } from './storage/partitioned-spill-file.ts'

type Cell = string | number | boolean | null

/** Digest of the merge below by number of RULES. A change that leads to other records needs a new number. */
const DIGESTS: Record<number, string> = {
  1: '8f09964563be1c50e5d4fa2928277fdc56442f30aa6bc9a2290cd45ee9f87535',
  2: '639b96a680866b63a936031553d991b905df0753ed6e512fbe10dbd6f42b898a',
}

const sources: { columns: string[]; rows: Cell[][]; sku_mappings?: Record<string, string> }[] = [
  {
    columns: ['SKU', 'Name', 'Price', 'Currency', 'Stock'],
    rows: [
      ['007', 'Pan', null, 'EUR', 0],
      ['A', '', 5, null, false],
      ['A', 'second', 6, 'USD', 1],
      [null, 'no SKU', 1, 'EUR', 1],
      [' b ', '#N/A', 1.5, 'EUR', null],
    ],
  },
  {
    columns: ['Price', 's-k u', 'Currency', 'Größe', 'Old name'],
    rows: [
      [9, 7, 'CHF', 'L', 'x'],
      [null, '007', null, 'M', 'y'],
      [4, 'A', 'CHF', null, '#REF!'],
      [3, 'x-1', 'CHF', 'S', true],
      [2, 'B', 'CHF', '"q" \\\\ ä', null],
    ],
    sku_mappings: { 'x-1': 'b' },
  },
  {
    columns: ['SKU', 'Stock', 'Größe'],
    rows: [
      ['A', 12, 'XL'],
      ['new', 0, ''],
      ['new', 3, 'XS'],
      ['007', 8, 'XXL'],
    ],
  },
]

const versions = sources.map(
  ({ columns, rows, sku_mappings = {} }, n): SourceVersion => ({
    ...{ task_id: n + 1, name: `Source ${n + 1}`, snapshot_id: n + 1, columns, row_count: rows.length },
    ...{ formats: new TableFormats([]), sku_mappings },
  }),
)
const settings = {
  required_fields: ['Name', 'Price', 'Gone'],
  field_groups: [['Price', 'Currency']],
  field_priorities: [
    { field: 'Price', source_task_ids: [2] },
    { field: 'Stock', source_task_ids: [3, 1] },
  ],
  column_names: [{ source_task_id: 2, column: 'Old name', field: 'Name' }],
}

async function mergeDigest(): Promise<string> {
  const plan = planCompile(versions, settings)
  const spill = new PartitionedSpillFile(tmpdir())
  const gathered = new GatheredRows(plan, spill)
  for (const [source, { rows }] of sources.entries())
    for (const [n, row] of rows.entries()) {
      // With a blank after each comma, as PostgreSQL writes it.
      const bytes = Buffer.from(`[${row.map((cell) => JSON.stringify(cell)).join(', ')}]`)
      gathered.take(source, n + 1, bytes, 0, bytes.length)
    }
  const merge = new Merge(plan, gathered.skus, { unchanged: { skus: 0, rows: 0 }, same_fields: true })
  const digest = createHash('sha256').update(JSON.stringify([plan, gathered.without_sku]))
  for await (const rows of spill.load())
    for (const { cells, found, field_sources, source_rows, ...record } of merge.records(rows)) {
      const { has_blanks, has_errors, is_duplicate } = record
      digest.update(cells.bytes.subarray(0, cells.end))
      digest.update(JSON.stringify([[...found], [...field_sources], [...source_rows]]))
      digest.update(JSON.stringify([has_blanks, has_errors, is_duplicate]))
    }
  return digest.digest('hex')
}

test('a merge that comes to other records than before has rules of another number, so that no later compile shares what is there', async () => {
  expect(DIGESTS[RULES]).toBe(await mergeDigest())
})

test('what a merge goes by is another hash for other rows and for each other setting, and the same for the same', () => {
  const hash = (change: Partial<typeof settings> = {}, others = versions) =>
    mergedFrom(planCompile(others, { ...settings, ...change }))
  expect(hash()).toBe(hash())
  const hashes = [
    hash(),
    hash({ required_fields: [] }),
    hash({ field_groups: [] }),
    hash({ field_priorities: [] }),
    hash({ column_names: [] }),
    hash({}, versions.toReversed()),
    hash(
      {},
      versions.map((version) => ({ ...version, snapshot_id: version.snapshot_id + 9 })),
    ),
    hash(
      {},
      versions.map((version) => ({ ...version, sku_mappings: {} })),
    ),
  ]
  expect(new Set(hashes).size).toBe(hashes.length)
})
