import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CellValue, Row } from '../../../../contract/tables.ts'
import { mergeCells, mergeRows, pairByPlace } from './merge-rows.ts'

/** Row numbers counted from 1, with the unused entry 0. */
const partners = (...rows: number[]) => Int32Array.from([0, ...rows])

type Case = { writtenOf: number[]; nowOf: number[]; nowRows: number; edited?: number[]; blank?: number[] }

/** The merged rows as `version/now`, and the deleted ones. */
function merged({ writtenOf, nowOf, nowRows, edited = [], blank = [] }: Case) {
  const { rows, deleted } = mergeRows({
    versionRows: writtenOf.length,
    writtenOf: partners(...writtenOf),
    nowOf: partners(...nowOf),
    nowRows,
    isBlank: (now) => blank.includes(now),
    isEdited: ({ written }) => edited.includes(written),
  })
  return {
    rows: rows.map(({ version, now }) => `${version}/${now}`),
    deleted: deleted.map(({ version }) => version),
  }
}

describe('the rows of a version', () => {
  test.each<[string, Case, string[], number[]?]>([
    ['replace those that were written', { writtenOf: [1, 2], nowOf: [1, 2], nowRows: 2 }, ['1/1', '2/2']],
    [
      'come back where the run removed them',
      { writtenOf: [1, 0, 2], nowOf: [1, 2], nowRows: 2 },
      ['1/1', '2/0', '3/2'],
    ],
    ['leave out rows that the run added', { writtenOf: [1], nowOf: [1, 2], nowRows: 2 }, ['1/1']],
    [
      'are followed by an added row that was edited',
      { writtenOf: [1], nowOf: [1, 2], nowRows: 2, edited: [2] },
      ['1/1', '0/2'],
    ],
    [
      'stay deleted where others deleted them',
      { writtenOf: [1, 2, 3], nowOf: [1, 0, 2], nowRows: 2 },
      ['1/1', '3/2'],
      [2],
    ],
    [
      'are followed by rows that others inserted',
      { writtenOf: [1, 2], nowOf: [1, 3], nowRows: 3 },
      ['1/1', '0/2', '2/3'],
    ],
    [
      'follow rows that others inserted above all',
      { writtenOf: [1], nowOf: [3], nowRows: 3 },
      ['0/1', '0/2', '1/3'],
    ],
    [
      'are not followed by blank rows',
      { writtenOf: [1], nowOf: [1], nowRows: 3, blank: [2] },
      ['1/1', '0/3'],
    ],
    [
      'keep their order if others sorted the target',
      { writtenOf: [1, 2], nowOf: [2, 1], nowRows: 2 },
      ['1/2', '2/1'],
    ],
    ['are none, and inserted rows stay', { writtenOf: [], nowOf: [1, 2], nowRows: 3 }, ['0/3']],
  ])('%s', (_what, given, rows, deleted = []) => {
    expect(merged(given)).toEqual({ rows, deleted })
  })

  test('appear once and in order, and no row of the target is lost or repeated', () => {
    const size = fc.integer({ min: 0, max: 8 })
    fc.assert(
      fc.property(
        size,
        size,
        size,
        fc.infiniteStream(fc.nat()),
        (versionRows, writtenRows, nowRows, random) => {
          const next = () => random.next().value ?? 0
          const paired = (rows: number, others: number) => {
            const free = Array.from({ length: others }, (_, n) => n + 1)
            return Array.from({ length: rows }, () =>
              next() % 3 === 0 ? 0 : (free.splice(next() % Math.max(1, free.length), 1)[0] ?? 0),
            )
          }
          const [writtenOf, nowOf] = [paired(versionRows, writtenRows), paired(writtenRows, nowRows)]
          const edited = Array.from({ length: writtenRows }, (_, n) => n + 1).filter(() => next() % 2 === 0)
          const { rows, deleted } = mergeRows({
            versionRows,
            writtenOf: partners(...writtenOf),
            nowOf: partners(...nowOf),
            nowRows,
            isBlank: () => false,
            isEdited: ({ written }) => edited.includes(written),
          })
          const versions = rows.flatMap(({ version }) => (version > 0 ? [version] : []))
          expect([...versions, ...deleted.map(({ version }) => version)].toSorted((a, b) => a - b)).toEqual(
            Array.from({ length: versionRows }, (_, n) => n + 1),
          )
          expect(versions).toEqual(versions.toSorted((a, b) => a - b))
          const nows = rows.flatMap(({ now }) => (now > 0 ? [now] : []))
          // Only rows that the run added and that were not edited are removed.
          const gone = nowOf.flatMap((now, index) =>
            now > 0 && !writtenOf.includes(index + 1) && !edited.includes(index + 1) ? [now] : [],
          )
          expect([...nows, ...gone].toSorted((a, b) => a - b)).toEqual(
            Array.from({ length: nowRows }, (_, n) => n + 1),
          )
        },
      ),
    )
  })
})

test.each([
  ['emptied between two rows', [1, 0, 3], 3, [1, 2, 3]],
  ['deleted between two rows', [1, 0, 2], 2, [1, 0, 2]],
  ['emptied at the end', [1, 0, 0], 1, [1, 2, 3]],
  ['emptied at the beginning', [0, 2], 2, [1, 2]],
  ['replaced by an inserted row, which is not paired', [1, 0, 4], 4, [1, 0, 4]],
  ['sorted', [3, 0, 1], 3, [3, 0, 1]],
])('a row that was %s', (_what, nowOf, nowRows, expected) => {
  const paired = partners(...nowOf)
  pairByPlace(paired, nowRows, { areRestBlank: true })
  expect([...paired].slice(1)).toEqual(expected)
})

test('rows that a run removed at the end have no partner', () => {
  const paired = partners(1, 0, 0)
  pairByPlace(paired, 1)
  expect([...paired]).toEqual([0, 1, 0, 0])
})

test.each<[string, Row, Row, Row, Row, number[]]>([
  ['nothing was edited', ['a', 1], ['b', 2], ['b', 2], ['a', 1], []],
  ['a cell was edited', ['a', 1], ['b', 2], ['b', 3], ['a', 3], [1]],
  ['a cell was emptied', ['a', 1], ['a', 2], ['a'], ['a'], [1]],
  ['a cell was filled', ['a'], ['a'], ['a', 'mine'], ['a', 'mine'], [1]],
  ['a cell was edited to the value of the version', ['a', 1], ['b', 2], ['b', 1], ['a', 1], []],
  ['a column was added by the run', ['a'], ['a', 'x'], ['a', 'x'], ['a'], []],
])('cells: %s', (_what, version, written, now, cells, kept) => {
  expect(mergeCells({ version, written, now })).toEqual({ cells, kept })
})

test('each cell is that of the version, or an edited one, which is reported', () => {
  const cell: fc.Arbitrary<CellValue> = fc.constantFrom('a', 'b', 1, null)
  const row = fc.array(cell, { maxLength: 4 })
  fc.assert(
    fc.property(row, row, row, (version, written, now) => {
      const { cells, kept } = mergeCells({ version, written, now })
      const at = (of: Row, column: number) => of[column] ?? null
      for (let column = 0; column < 4; column += 1) {
        const isEdited = at(now, column) !== at(written, column)
        expect(at(cells, column)).toBe(isEdited ? at(now, column) : at(version, column))
        expect(kept.includes(column)).toBe(isEdited && at(now, column) !== at(version, column))
      }
    }),
  )
})
