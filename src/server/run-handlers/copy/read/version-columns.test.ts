import { expect, test } from 'vitest'
import type { Row } from '../../../../contract/tables.ts'
import { alignVersion } from './version-columns.ts'

test.each<{ what: string; version: Row; written: Row }>([
  { what: 'are the same', version: ['SKU', 'Name'], written: ['SKU', 'Name'] },
  { what: 'were added at the end', version: ['SKU'], written: ['SKU', 'Name'] },
  { what: 'were removed at the end', version: ['SKU', 'Name'], written: ['SKU'] },
  { what: 'were all removed', version: ['SKU', 'Name'], written: [] },
  { what: 'were renamed', version: ['A', 'B'], written: ['A', 'X'] },
  { what: 'are repeated or blank', version: ['A', 'A', null, 1], written: ['A', 'A', null] },
])('columns that $what stand in place', ({ version, written }) => {
  expect(alignVersion({ version, written })).toBeNull()
})

test.each<{ version: Row; written: Row; row: Row; placed: Row; missing: number[] }>([
  { version: ['A', 'B', 'C'], written: ['A', 'C'], row: [1, 3], placed: [1, null, 3], missing: [] },
  { version: ['A', 'C'], written: ['A', 'B', 'C'], row: [1, 2, 3], placed: [1, 3], missing: [1] },
  { version: ['A', 'B'], written: ['B', 'A'], row: [2, 1], placed: [1, 2], missing: [] },
  { version: ['A', 'A', 'B'], written: ['B', 'A', 'A'], row: [3, 1, 2], placed: [1, 2, 3], missing: [] },
  {
    version: ['A', 'B', 'C'],
    written: ['A', 'X', 'Y'],
    row: [1, 8, 9],
    placed: [1, null, null],
    missing: [1, 2],
  },
  {
    version: ['A', 'B', 'C', 'D'],
    written: ['A', 'B', 'X', 'C'],
    row: [1, 2, 8, 3],
    placed: [1, 2, 3, null],
    missing: [2],
  },
])('a row of $written is placed in the columns $version', ({ version, written, row, placed, missing }) => {
  const alignment = alignVersion({ version, written })
  expect(alignment?.place(row)).toEqual(placed)
  expect([...row.keys()].filter((column) => !alignment?.has(column))).toEqual(missing)
  expect(alignment?.shared.version(placed)).toEqual(alignment?.shared.written(row))
})
