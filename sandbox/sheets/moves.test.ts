import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gridRange, sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()
const size = 5

/** Values of a tab by row and column; null if blank. */
type Picture = (number | null)[][]

interface Step {
  readonly request: object
  readonly model: (before: Picture) => Picture
}

const line = fc.nat(size - 1)
const span = fc.tuple(line, line).map(([a, b]) => [Math.min(a, b), Math.max(a, b) + 1] as const)
const dimension = fc.constantFrom('ROWS' as const, 'COLUMNS' as const)

const turned = (picture: Picture): Picture =>
  Array.from({ length: picture[0]?.length ?? 0 }, (_, x) => picture.map((row) => row[x] ?? null))

/** Applies a model for rows to columns. */
const either = (of: string, model: (before: Picture) => Picture) => (before: Picture) =>
  of === 'ROWS' ? model(before) : turned(model(turned(before)))

/** Splits a column into the parts before, in and after the span, and reassembles it. */
const eachColumn = (
  picture: Picture,
  [from, to]: readonly [number, number],
  place: (cells: (number | null)[]) => (number | null)[],
): Picture => turned(turned(picture).map((column, x) => (x >= from && x < to ? place(column) : column)))

const blanks = (count: number) => Array.from({ length: count }, () => null)

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(dimension, span, fc.nat(size)).map(([of, [start, end], to]) => ({
    request: {
      moveDimension: {
        source: { sheetId: 0, dimension: of, startIndex: start, endIndex: end },
        destinationIndex: to,
      },
    },
    model: either(of, (before) => {
      // A move to its current position is refused.
      if (to >= start && to <= end) return before
      const moved = before.slice(start, end)
      const rest = before.map((row, index) => (index >= start && index < end ? null : row))
      const put = [...rest.slice(0, to), ...moved, ...rest.slice(to)]
      return put.filter((row) => row !== null)
    }),
  })),
  fc.tuple(dimension, span, span).map(([of, along, across]) => ({
    request: {
      deleteRange: {
        range: of === 'ROWS' ? gridRange(...along, ...across) : gridRange(...across, ...along),
        shiftDimension: of,
      },
    },
    model: either(of, (before) =>
      eachColumn(before, across, (cells) => [
        ...cells.slice(0, along[0]),
        ...cells.slice(along[1]),
        ...blanks(along[1] - along[0]),
      ]),
    ),
  })),
  fc.tuple(dimension, span, span).map(([of, along, across]) => ({
    request: {
      insertRange: {
        range: of === 'ROWS' ? gridRange(...along, ...across) : gridRange(...across, ...along),
        shiftDimension: of,
      },
    },
    model: either(of, (before) => {
      const room = blanks(along[1] - along[0])
      const longer = [...before, ...room.map(() => blanks(before[0]?.length ?? 0))]
      return eachColumn(longer, across, (cells) => [
        ...cells.slice(0, along[0]),
        ...room,
        ...cells.slice(along[0], before.length),
      ])
    }),
  })),
  fc.tuple(span, span, fc.boolean()).map(([down, across, ascending]) => ({
    request: {
      sortRange: {
        range: gridRange(...down, ...across),
        sortSpecs: [{ dimensionIndex: across[0], sortOrder: ascending ? 'ASCENDING' : 'DESCENDING' }],
      },
    },
    model: (before: Picture) => {
      const rows = before.slice(...down).map((row) => row.slice(...across))
      rows.sort(([a = null], [b = null]) => {
        if (a === null || b === null) return Number(a === null) - Number(b === null)
        return ascending ? a - b : b - a
      })
      return before.map((row, y) => {
        const sorted = rows[y - down[0]]
        return y >= down[0] && sorted ? row.toSpliced(across[0], sorted.length, ...sorted) : row
      })
    },
  })),
)

const cell = fc.option(fc.nat(9), { freq: 2 })
const picture = fc.array(fc.array(cell, { minLength: size, maxLength: size }), {
  minLength: size,
  maxLength: size,
})

test('moving, inserting, deleting and sorting rows, columns and cells gives the result of a plain table', async () => {
  const check = async (start: Picture, steps: Step[]) => {
    const id = await sandbox.book(size, size)
    await sandbox.put(id, 'A1', start)
    let expected = start
    for (const { request, model } of steps) {
      const before = expected
      expected = model(before)
      const reply = await sandbox.call('POST', `/${id}:batchUpdate`, { requests: [request] })
      const asIs = 'moveDimension' in request && expected === before
      if (reply.status !== 200)
        expect([reply.status, asIs || JSON.stringify(expected) === JSON.stringify(before)]).toEqual([
          400,
          true,
        ])
    }
    expect(trimmed(await sandbox.rows(id, 'Sheet1', 'UNFORMATTED_VALUE'))).toEqual(trimmed(expected))
  }
  await fc.assert(fc.asyncProperty(picture, fc.array(step, { minLength: 1, maxLength: 5 }), check), {
    numRuns: 60,
  })
})

test('formulas, names, notes and formats follow moved rows and shifted cells', async () => {
  const id = await sandbox.book(8, 4)
  await sandbox.put(id, 'A1', [[1, '=A1*10', '=SUM(A2:A3)'], [2], [3], [4]], 'USER_ENTERED')
  const note = {
    userEnteredValue: { numberValue: 0.5 },
    userEnteredFormat: { numberFormat: { type: 'PERCENT', pattern: '0%' } },
    note: 'half',
  }
  await sandbox.batch(
    id,
    { updateCells: { start: { rowIndex: 0, columnIndex: 3 }, rows: [{ values: [note] }], fields: '*' } },
    {
      addNamedRange: {
        namedRange: {
          name: 'First',
          range: { sheetId: 0, startRowIndex: 0, endRowIndex: 1, startColumnIndex: 0, endColumnIndex: 1 },
        },
      },
    },
    { moveDimension: { source: { dimension: 'ROWS', startIndex: 0, endIndex: 1 }, destinationIndex: 4 } },
  )
  expect(await sandbox.rows(id, 'A1:D4', 'FORMULA')).toEqual([
    [2],
    [3],
    [4],
    [1, '=A4*10', '=SUM(A1:A2)', 0.5],
  ])
  expect(await sandbox.rows(id, 'First')).toEqual([['1']])
  await sandbox.batch(id, {
    deleteRange: { range: { startRowIndex: 0, endRowIndex: 1 }, shiftDimension: 'ROWS' },
  })
  expect(await sandbox.rows(id, 'A1:D3', 'FORMULA')).toEqual([[3], [4], [1, '=A3*10', '=SUM(A1)', 0.5]])
  const { data } = await sandbox.api.spreadsheets.get({
    spreadsheetId: id,
    ranges: ['D3'],
    includeGridData: true,
  })
  expect(data.sheets?.[0]?.data?.[0]?.rowData?.[0]?.values?.[0]).toMatchObject({
    formattedValue: '50%',
    note: 'half',
  })
})

test('a move without effect and a destination beyond the grid are refused', async () => {
  const id = await sandbox.book(4, 4)
  const source = { dimension: 'ROWS', startIndex: 1, endIndex: 3 }
  for (const destinationIndex of [1, 2, 3, -1, 5]) {
    expect(
      await sandbox.call('POST', `/${id}:batchUpdate`, {
        requests: [{ moveDimension: { source, destinationIndex } }],
      }),
    ).toMatchObject({ status: 400 })
  }
  const range = { startRowIndex: 2, endRowIndex: 5 }
  expect(await sandbox.refused(id, { deleteRange: { range, shiftDimension: 'ROWS' } })).toBe(
    'Invalid requests[0].deleteRange: Range (Sheet1!A3:D5) exceeds grid limits. Max rows: 4, max columns: 4',
  )
})

/** Removes trailing blank cells and trailing blank rows, as the API does. */
function trimmed(rows: readonly unknown[][]): unknown[][] {
  const short = rows.map((row) => {
    const end = row.findLastIndex((value) => value !== null && value !== '')
    return row.slice(0, end + 1).map((value) => value ?? '')
  })
  return short.slice(0, short.findLastIndex((row) => row.length > 0) + 1)
}
