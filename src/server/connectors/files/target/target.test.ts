import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type BookTab, readBook, storeBook } from '../../../../../test/fakes/workbook-folder/book.ts'
import {
  begun,
  cellsOf,
  changeTo,
  fileReference,
  rowsOf,
  targetContext,
  write,
} from '../../../../../test/fixtures/file-target.ts'
import type { Row } from '../../../../contract/tables.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import { patchTab } from '../workbook/patch-tab.ts'
import { readCell } from './open-target.ts'

// Each write starts a process.
vi.setConfig({ testTimeout: 120_000 })

let root = ''
let folder = ''
let folders = [{ name: 'Out', path: '', writable: true }]
const reference = fileReference('Out/Web shop.xlsx')
const path = () => join(folder, 'Web shop.xlsx')

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'file-target-'))
})
afterAll(() => rmSync(root, { recursive: true }))
beforeEach(() => {
  folder = mkdtempSync(join(root, 'folder-'))
  folders = [{ name: 'Out', path: folder, writable: true }]
})

const book = (...tabs: [name: string, rows: Row[]][]): BookTab[] =>
  tabs.map(([name, rows], n) => ({ id: n + 1, name, rows, formats: new Map() }))

const rowsIn = async (tab: string) => (await readBook(path(), tab))[0]?.rows

/** Names of files that Rowferry has left in the folder. */
const leftOver = () => readdirSync(folder).filter((name) => name.startsWith('.rowferry'))

const old: Row[] = [
  ['SKU', 'Price', 'Mine'],
  ['A', 1, 'kept'],
  ['B', 2],
]
const fresh: Row[] = [
  ['SKU', 'Price'],
  ['A', 10],
  ['C', 30],
  ['D', 40],
]

test('a table takes the place of another one; cells beside it and other tabs stay', async () => {
  await storeBook(path(), book(['Shop', old], ['Other', [['x']]]))
  await write(folders, reference, changeTo(fresh), targetContext(1))
  expect(await rowsIn('Shop')).toEqual([
    ['SKU', 'Price', 'Mine'],
    ['A', 10, 'kept'],
    ['C', 30],
    ['D', 40],
  ])
  expect(await rowsIn('Other')).toEqual([['x']])
  expect(leftOver()).toEqual([])
})

test('rows and columns that the table does not have any more are cleared, as far as the task owns them', async () => {
  const wide: Row[] = [
    ['SKU', 'Price', 'Mine'],
    ['A', 1, 'kept'],
    ['B', 2, 'kept'],
    ['C', 3, 'kept'],
  ]
  await storeBook(path(), book(['Shop', wide]))
  await write(folders, reference, changeTo([['SKU'], ['A']], { owned_columns: 2 }), targetContext(1))
  expect(await rowsIn('Shop')).toEqual([
    ['SKU', null, 'Mine'],
    ['A', null, 'kept'],
    [null, null, 'kept'],
    [null, null, 'kept'],
  ])
})

test('a file and a tab that do not exist are created, with the identity that was stated before', async () => {
  const first = await begun(folders, reference, targetContext(1))
  expect(await rowsOf(first)).toEqual([])
  await first.apply(changeTo(fresh), async () => {})
  expect(await rowsOf(first)).toEqual(fresh)
  const other = fileReference('Out/Web shop.xlsx', 'Second')
  const second = await begun(folders, other, targetContext(2))
  expect(await rowsOf(second)).toEqual([])
  const { tab_id } = second.identity()
  await second.apply(changeTo([['x']]), async () => {})
  expect(await rowsOf(second)).toEqual([['x']])
  const third = await begun(folders, fileReference('Out/Web shop.xlsx', 'Third'), targetContext(3))
  await third.apply(changeTo([['y']]), async () => {})
  expect((await readBook(path())).map(({ id, name, rows }) => [String(id), name, rows])).toEqual([
    [first.identity().tab_id, 'Shop', fresh],
    [tab_id, 'Second', [['x']]],
    [third.identity().tab_id, 'Third', [['y']]],
  ])
  expect(Number(tab_id)).toBeGreaterThanOrEqual(10_000)
})

test('formulas read as texts, are told from such texts, are none of the constants, and can be written', async () => {
  await storeBook(
    path(),
    book([
      'Shop',
      [
        ['A', 'B', 'C'],
        ['=1+1', 2, 3, 'beside'],
        ['x', 5, 6],
      ],
    ]),
  )
  await patchTab(
    path(),
    { id: '1', name: 'Shop' },
    {
      area: { top: 1, left: 1, bottom: 1, right: 4 },
      rows: [
        [
          {
            row: 2,
            cells: [
              { column: 1, formula: 'C2*2' },
              { column: 4, formula: 'C2' },
            ],
          },
        ],
      ],
    },
    join(folder, 'next.xlsx'),
  )
  const named = fileReference('Out/next.xlsx')
  const target = await begun(folders, named, targetContext(1))
  expect(await rowsOf(target, 3)).toEqual([
    ['A', 'B', 'C'],
    ['=1+1', '=C2*2', 3],
    ['x', 5, 6],
  ])
  const cells = [
    { row: 1, column: 0 },
    { row: 1, column: 1 },
  ]
  expect(await target.formulas(cells)).toEqual([{ row: 1, column: 1 }])
  const beside = []
  for await (const row of target.readBeside?.(3, RowSet.from([1]), { header: true }) ?? []) beside.push(row)
  expect(beside).toEqual([{ row: 1, cells: ['beside'] }])
  expect(await readCell(folders, named, { row: 1, column: 1 }, new AbortController().signal)).toBe('=C2*2')
  expect(await readCell(folders, named, { row: 9, column: 1 }, new AbortController().signal)).toBe(null)

  const change = changeTo([
    ['A', 'B', 'C'],
    ['=1+1', '=C2*3', 3],
    ['x', 5, 6],
  ])
  await target.apply({ ...change, formulas: [{ row: 1, column: 1, text: '=C2*3' }] }, async () => {})
  expect((await rowsOf(target, 3))[1]).toEqual(['=1+1', '=C2*3', 3])
  expect(await target.formulas(cells)).toEqual([{ row: 1, column: 1 }])
})

test('formats are set for rows of a column, values stay, and dates keep their day', async () => {
  await storeBook(path(), book(['Shop', [['Day'], [45_000], [10], ['text'], [0.5]]]))
  const target = await begun(folders, reference, targetContext(1))
  await rowsOf(target)
  const date = { type: 'DATE', pattern: 'yyyy-mm-dd' }
  const formats = [
    { column: 0, from: 1, to: 4, format: date },
    { column: 0, from: 4, to: null, format: { type: 'PERCENT', pattern: '0.0%' } },
  ]
  const rows = [['Day'], [45_000], [10], ['text'], [0.5], []]
  await target.apply({ ...changeTo(rows), cells: cellsOf(), formats }, async () => {})
  expect(await rowsOf(target)).toEqual([['Day'], [45_000], [10], ['text'], [0.5]])
  expect(await target.readFormats?.([0], 5)).toEqual(
    new Map([
      [
        0,
        [
          { row: 1, format: date },
          { row: 4, format: { type: 'PERCENT', pattern: '0.0%' } },
        ],
      ],
    ]),
  )
})
