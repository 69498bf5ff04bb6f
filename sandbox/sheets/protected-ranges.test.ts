import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gridRange, sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()
const ben = 'ben@example.com'
const refusal =
  'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.'

const rows = (startIndex: number, endIndex: number) => ({
  sheetId: 0,
  dimension: 'ROWS',
  startIndex,
  endIndex,
})

/** Ada's spreadsheet with A3:B4 protected; Ben has write access to the file. */
async function shared(protectedRange: object = {}) {
  const id = await sandbox.book(10, 4)
  await sandbox.share(id, ben)
  await sandbox.put(
    id,
    'A1',
    Array.from({ length: 6 }, (_, y) => [y, `row ${y}`]),
  )
  await sandbox.batch(id, {
    addProtectedRange: { protectedRange: { range: gridRange(2, 4), ...protectedRange } },
  })
  const asBen = (request: object) => sandbox.call('POST', `/${id}:batchUpdate`, { requests: [request] }, ben)
  return { id, asBen }
}

async function protectedRanges(id: string, email?: string) {
  const { body } = await sandbox.call('GET', `/${id}?fields=sheets.protectedRanges`, undefined, email)
  const Reply = z.object({
    sheets: z.array(z.object({ protectedRanges: z.array(z.looseObject({})).default([]) })),
  })
  return Reply.parse(body).sheets[0]?.protectedRanges ?? []
}

const start = { sheetId: 0, rowIndex: 1, columnIndex: 0 }
const refused: [what: string, request: object][] = [
  ['updateCells', { start, rows: [{ values: [{}] }, { values: [{}] }], fields: 'userEnteredValue' }],
  ['repeatCell', { range: gridRange(0, 10), cell: {}, fields: 'userEnteredFormat' }],
  ['copyPaste', { source: gridRange(0, 1), destination: gridRange(3, 4) }],
  ['cutPaste', { source: gridRange(3, 4), destination: { sheetId: 0, rowIndex: 8 } }],
  ['deleteDimension', { range: rows(1, 3) }],
  ['insertDimension', { range: rows(3, 4) }],
  ['moveDimension', { source: rows(3, 4), destinationIndex: 0 }],
  ['insertRange', { range: gridRange(0, 1), shiftDimension: 'ROWS' }],
  ['deleteRange', { range: gridRange(0, 1), shiftDimension: 'ROWS' }],
  ['sortRange', { range: gridRange(0, 6), sortSpecs: [{ dimensionIndex: 0 }] }],
  ['mergeCells', { range: gridRange(3, 5) }],
  ['unmergeCells', { range: gridRange(3, 5) }],
  ['setDataValidation', { range: gridRange(3, 4) }],
  ['deleteSheet', { sheetId: 0 }],
  [
    'updateSheetProperties',
    { properties: { gridProperties: { rowCount: 3 } }, fields: 'gridProperties.rowCount' },
  ],
]
const allowed: [what: string, request: object][] = [
  ['updateCells', { start, rows: [{ values: [{}] }], fields: 'userEnteredValue' }],
  ['copyPaste', { source: gridRange(2, 4), destination: gridRange(6, 8) }],
  ['deleteDimension', { range: rows(4, 6) }],
  ['insertDimension', { range: rows(2, 3) }],
  ['insertRange', { range: gridRange(5, 6), shiftDimension: 'ROWS' }],
  ['sortRange', { range: gridRange(4, 6), sortSpecs: [{ dimensionIndex: 0, sortOrder: 'DESCENDING' }] }],
  ['appendDimension', { dimension: 'ROWS', length: 2 }],
  ['updateSheetProperties', { properties: { title: 'Renamed' }, fields: 'title' }],
]

describe('a protected range', () => {
  test.each(refused)('refuses %s by another account without effect', async (name, request) => {
    const { id, asBen } = await shared()
    // A second tab, because deleteSheet is always refused for the last one.
    await sandbox.batch(id, { addSheet: { properties: { title: 'Other' } } })
    const before = await sandbox.call('GET', `/${id}?includeGridData=true`)
    expect(await asBen({ [name]: request })).toMatchObject({
      status: 400,
      body: { error: { message: `Invalid requests[0].${name}: ${refusal}`, status: 'INVALID_ARGUMENT' } },
    })
    expect(await sandbox.call('GET', `/${id}?includeGridData=true`)).toEqual(before)
    expect(
      await sandbox.call('POST', `/${id}:batchUpdate`, { requests: [{ [name]: request }] }),
    ).toMatchObject({
      status: 200,
    })
  })

  test.each(allowed)('allows %s next to it', async (name, request) => {
    const { asBen } = await shared()
    expect(await asBen({ [name]: request })).toMatchObject({ status: 200 })
  })

  test('refuses values for its cells and allows writes around them', async () => {
    const { id } = await shared()
    const put = (values: unknown[][]) =>
      sandbox.call('PUT', `/${id}/values/A2:B4?valueInputOption=RAW`, { values }, ben)
    expect(await put([['x'], [null, null]])).toMatchObject({ status: 200 })
    expect(await put([['x'], ['x']])).toMatchObject({ status: 400, body: { error: { message: refusal } } })
    const data = [
      { range: 'A1', values: [['y']] },
      { range: 'A3', values: [['y']] },
    ]
    expect(
      await sandbox.refusal('POST', `/${id}/values:batchUpdate`, { valueInputOption: 'RAW', data }, ben),
    ).toBe(`Invalid data[1]: ${refusal}`)
    expect(await sandbox.refusal('POST', `/${id}/values/A1:B5:clear`, {}, ben)).toBe(refusal)
    expect(await sandbox.rows(id, 'A1:A3')).toEqual([['0'], ['x'], ['2']])
    const append = `/${id}/values/A1:append?valueInputOption=RAW`
    expect(await sandbox.call('POST', append, { values: [['z']] }, ben)).toMatchObject({ status: 200 })
  })

  test('allows its editors, and all users if it only warns', async () => {
    for (const opened of [
      { editors: { users: ['BEN@example.com'] } },
      { warningOnly: true },
      { editors: { domainUsersCanEdit: true } },
    ]) {
      const { asBen } = await shared(opened)
      expect(
        await asBen({ repeatCell: { range: gridRange(2, 4), cell: {}, fields: 'userEnteredValue' } }),
      ).toMatchObject({
        status: 200,
      })
    }
  })

  test('shows its editors only to users who may edit it', async () => {
    const { id } = await shared({ description: 'mine' })
    const shown = { protectedRangeId: expect.any(Number), range: expect.anything(), description: 'mine' }
    expect(await protectedRanges(id)).toEqual([
      { ...shown, requestingUserCanEdit: true, editors: { users: ['ada@example.com'] } },
    ])
    expect(await protectedRanges(id, ben)).toEqual([shown])
  })

  test('of a whole tab with exceptions prevents changes of the tab', async () => {
    const free = [gridRange(0, 1, 3, 4)]
    const { id, asBen } = await shared({ range: { sheetId: 0 }, unprotectedRanges: free })
    const fill = (where: object) =>
      asBen({ repeatCell: { range: where, cell: {}, fields: 'userEnteredValue' } })
    expect(await fill(gridRange(0, 1, 3, 4))).toMatchObject({ status: 200 })
    expect(await fill(gridRange(0, 2, 3, 4))).toMatchObject({ status: 400 })
    for (const request of [
      { appendDimension: { dimension: 'ROWS', length: 1 } },
      { insertDimension: { range: rows(0, 1) } },
      { updateSheetProperties: { properties: { title: 'x' }, fields: 'title' } },
      { updateDimensionProperties: { range: rows(0, 1), properties: { hiddenByUser: true }, fields: '*' } },
      { setBasicFilter: { filter: { range: { sheetId: 0 } } } },
    ]) {
      expect(await asBen(request)).toMatchObject({ status: 400 })
    }
    const append = `/${id}/values/A1:append?valueInputOption=RAW`
    expect(await sandbox.refusal('POST', append, { values: [['z']] }, ben)).toBe(refusal)
  })

  test('is changed and deleted by its editors, and moves with its rows', async () => {
    const { id, asBen } = await shared()
    const [first] = await protectedRanges(id)
    const protectedRangeId = z.number().parse(first?.protectedRangeId)
    expect(await asBen({ deleteProtectedRange: { protectedRangeId } })).toMatchObject({ status: 400 })
    const letIn = { protectedRangeId, editors: { users: [ben] } }
    const opening = { updateProtectedRange: { protectedRange: letIn, fields: 'editors' } }
    expect(await asBen(opening)).toMatchObject({ status: 400 })
    await sandbox.batch(id, opening, { insertDimension: { range: rows(0, 2) } })
    expect(await protectedRanges(id, ben)).toEqual([
      {
        protectedRangeId,
        range: { startRowIndex: 4, endRowIndex: 6, startColumnIndex: 0, endColumnIndex: 2 },
        requestingUserCanEdit: true,
        editors: { users: [ben] },
      },
    ])
    expect(await asBen({ deleteProtectedRange: { protectedRangeId } })).toMatchObject({ status: 200 })
    expect(await protectedRanges(id)).toEqual([])
    expect(await asBen({ deleteProtectedRange: { protectedRangeId } })).toMatchObject({
      body: {
        error: {
          message: `Invalid requests[0].deleteProtectedRange: No protected range with id: ${protectedRangeId}`,
        },
      },
    })
  })
})
