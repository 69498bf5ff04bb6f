import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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

// Each write starts a process.
vi.setConfig({ testTimeout: 120_000 })

let folder = ''
let folders = [{ name: 'Out', path: '', writable: true }]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'csv-target-'))
  folders = [{ name: 'Out', path: folder, writable: true }]
})
afterEach(() => rmSync(folder, { recursive: true }))

const content = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Values that CSV cannot tell apart unless the writer takes care. */
const rows: Row[] = [
  ['SKU', 'Price', 'Note', 'In stock'],
  ['007', 7, '7', true],
  ['TRUE', -0.5, '=1+1', false],
  ["'=x", 1e-7, 'a "b"; c, d\te'],
  [],
  [' padded ', 9007199254740992, 'line\nbreak', 'Größe'],
  ['1e5', 43831.5, '-4', '﻿mark'],
]

test.each([
  ['prices.csv', undefined, /^SKU,Price/],
  ['prices.tsv', undefined, /^SKU\tPrice/],
  ['prices.csv', { delimiter: ';' as const, byte_order_mark: true }, /^\ufeffSKU;Price/],
])('%s is created with %o, and reads back as it was written', async (name, csv, start) => {
  const reference = { ...fileReference(`Out/${name}`, 'CSV'), ...(csv && { csv }) }
  const target = await begun(folders, reference, targetContext(1))
  await rowsOf(target)
  await target.apply(changeTo(rows), async () => {})
  expect(content(name)).toMatch(start)
  expect(content(name)).toContain("'=1+1")
  expect(await rowsOf(target)).toEqual(rows)
  expect(readdirSync(folder)).toEqual([name])
})

test('columns of others, rows above the header, line ends and the mark of an existing file stay', async () => {
  writeFileSync(join(folder, 'a.csv'), '\ufeffStock list;\nSKU;Price;Mine\nA;1;kept\nB;2;also\n')
  const reference = { ...fileReference('Out/a.csv', 'CSV'), start_row: 2 }
  const target = await begun(folders, reference, targetContext(1))
  expect(await rowsOf(target, 2)).toEqual([
    ['SKU', 'Price'],
    ['A', 1],
    ['B', 2],
  ])
  const beside = []
  for await (const row of target.readBeside?.(2, RowSet.from([2]), { header: true }) ?? []) beside.push(row)
  expect(beside).toEqual([
    { row: 0, cells: ['Mine'] },
    { row: 2, cells: ['also'] },
  ])
  const wanted: Row[] = [
    ['SKU', 'Price'],
    ['A', 1.5],
    ['B', 2],
    ['C', 3],
  ]
  await target.apply(
    { ...changeTo(wanted), cells: cellsOf([1, 1, 1.5], [3, 0, 'C'], [3, 1, 3]) },
    async () => {},
  )
  expect(content('a.csv')).toBe('\ufeffStock list;\nSKU;Price;Mine\nA;1.5;kept\nB;2;also\nC;3\n')
})

test('rows that the table does not have any more leave no lines', async () => {
  writeFileSync(join(folder, 'a.csv'), 'SKU,Price\r\nA,1\r\nB,2\r\nC,3\r\n')
  await write(
    folders,
    fileReference('Out/a.csv', 'CSV'),
    changeTo([
      ['SKU', 'Price'],
      ['A', 1],
    ]),
    targetContext(1),
  )
  expect(content('a.csv')).toBe('SKU,Price\r\nA,1\r\n')
})

test('a save of a person in between is not lost; other encodings and open quotes are refused', async () => {
  writeFileSync(join(folder, 'a.csv'), 'SKU\nA\n')
  const target = await begun(folders, fileReference('Out/a.csv', 'CSV'), targetContext(1))
  await rowsOf(target)
  writeFileSync(join(folder, 'a.csv'), 'SKU\nhers\n')
  await expect(target.apply(changeTo([['SKU'], ['B']]), async () => {})).rejects.toMatchObject({
    kind: 'tab_gone',
  })
  expect(content('a.csv')).toBe('SKU\nhers\n')
  writeFileSync(join(folder, 'a.csv'), Buffer.from('SKU\nGr\xf6\xdfe\n', 'latin1'))
  await expect(rowsOf(target)).rejects.toThrow('is not in UTF-8')
  writeFileSync(join(folder, 'a.csv'), 'SKU\n"open\n')
  await expect(rowsOf(target)).rejects.toThrow('a quote that does not end')
})
