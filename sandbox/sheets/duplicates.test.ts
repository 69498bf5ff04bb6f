import { expect, test } from 'vitest'
import { gridRange, sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()
const rows = [
  ['name', 'count', 'beside'],
  ['nut', 1, 'a'],
  ['Nut', 1, 'b'],
  ['nut', 2, 'c'],
  ['nut', 1, 'd'],
  ['below', 5, 'e'],
]

test('deleteDuplicates keeps the first of equal rows, closes the gaps within its range and returns the number removed', async () => {
  const id = await sandbox.book(10, 4)
  await sandbox.put(id, 'A1', rows)
  const reply = await sandbox.batch(id, { deleteDuplicates: { range: gridRange(1, 5, 0, 2) } })
  expect(reply).toEqual([{ deleteDuplicates: { duplicatesRemovedCount: 2 } }])
  expect(await sandbox.rows(id, 'A1:C6', 'UNFORMATTED_VALUE')).toEqual([
    ['name', 'count', 'beside'],
    ['nut', 1, 'a'],
    ['nut', 2, 'b'],
    ['', '', 'c'],
    ['', '', 'd'],
    ['below', 5, 'e'],
  ])
})

test('deleteDuplicates compares the named columns and returns no count if all rows differ', async () => {
  const id = await sandbox.book(10, 4)
  await sandbox.put(id, 'A1', rows)
  const of = (startIndex: number) => ({
    deleteDuplicates: {
      range: gridRange(1, 5, 0, 3),
      comparisonColumns: [{ sheetId: 0, dimension: 'COLUMNS', startIndex, endIndex: startIndex + 1 }],
    },
  })
  expect(await sandbox.batch(id, of(2))).toEqual([{ deleteDuplicates: {} }])
  expect(await sandbox.batch(id, of(0))).toEqual([{ deleteDuplicates: { duplicatesRemovedCount: 3 } }])
})
