import { expect, test } from 'vitest'
import type { PlanRow } from '../../../../contract/plans/calls.ts'
import { addressOf, cellsIn, changingColumns, isChanged } from './plan-cells.ts'

const columns = ['A', 'B', 'C'].map((column) => ({ column, old_header: column, new_header: column }))
const row = (part: Partial<PlanRow>): PlanRow => ({
  position: 1,
  tab: null,
  kind: 'changed',
  old_row: 2,
  new_row: 2,
  old_cells: [],
  new_cells: [],
  ...part,
})

test('the first column is shown with those in which a row changes', () => {
  const rows = [row({ old_cells: ['x', 1, 'z'], new_cells: ['x', 1, 'y'] })]
  expect(changingColumns({ columns, rows })).toEqual([0, 2])
})

test('all columns are shown if rows only move', () => {
  const rows = [row({ kind: 'moved', old_row: 2, new_row: 3, old_cells: ['x'], new_cells: ['x'] })]
  expect(changingColumns({ columns, rows })).toEqual([0, 1, 2])
})

test('a cell that becomes blank is changed, one that was and is blank is not', () => {
  const changed = row({ old_cells: ['x', 1], new_cells: ['x'] })
  expect(cellsIn(changed, [0, 1, 2]).map((cell) => isChanged(changed, cell))).toEqual([false, true, false])
})

test.each([
  [{ old_row: 22, new_row: 23 }, false, 'AB22'],
  [{ old_row: 22, new_row: 23 }, true, 'AB23'],
  [{ old_row: null, new_row: 12 }, false, 'AB12'],
  [{ old_row: 7, new_row: null }, false, 'AB7'],
  [{ old_row: 7, new_row: null }, true, null],
])('the address of a cell is where it stands: %j, written: %j', (rows, isWritten, address) => {
  expect(addressOf(rows, 'AB', isWritten)).toBe(address)
})
