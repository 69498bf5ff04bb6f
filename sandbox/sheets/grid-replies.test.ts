import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

const Cells = z.looseObject({
  sheets: z.tuple([
    z.looseObject({
      data: z.tuple([z.looseObject({ rowData: z.array(z.record(z.string(), z.unknown())).optional() })]),
    }),
  ]),
})

async function rowData(id: string, query: string) {
  const { body } = await sandbox.call('GET', `/${id}?${query}`)
  return Cells.parse(body).sheets[0].data[0].rowData
}

const withMask = (fields: string) => `fields=sheets.data.rowData.values(${fields})`

const isoDate = { numberFormat: { type: 'DATE', pattern: 'yyyy-mm-dd' } }
const bold = { textFormat: { bold: true } }

test('every value is returned as entered, whatever its characters and digits', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '\\', '\u0000', '\u2028', '\ud800', '{"values":[', '007'),
  )
  const number = fc.oneof(
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.constantFrom(-0, 1e21, 1e-7),
  )
  const value = fc.oneof(
    text.filter((given) => given !== '').map((stringValue) => ({ stringValue })),
    number.map((numberValue) => ({ numberValue })),
    fc.boolean().map((boolValue) => ({ boolValue })),
  )
  const row = fc.array(value, { minLength: 1, maxLength: 4 })
  const check = async (table: z.infer<typeof Values>[]) => {
    const id = await sandbox.book(4, 4)
    const rows = table.map((values) => ({ values: values.map((userEnteredValue) => ({ userEnteredValue })) }))
    const start = { sheetId: 0, rowIndex: 0, columnIndex: 0 }
    await sandbox.batch(id, { updateCells: { rows, start, fields: 'userEnteredValue' } })
    // JSON has no -0.
    expect(await rowData(id, withMask('userEnteredValue'))).toEqual(JSON.parse(JSON.stringify(rows)))
    const shown = await rowData(id, withMask('effectiveValue'))
    expect(JSON.stringify(shown).replaceAll('effectiveValue', 'userEnteredValue')).toBe(JSON.stringify(rows))
  }
  await fc.assert(fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 4 }), check), { numRuns: 60 })
})

test('a large table is returned as entered, including blank rows, blank cells and long texts', async () => {
  const id = await sandbox.book(6_000, 6)
  const cell = (row: number, column: number) => {
    if (row % 7 === 0 || row > 5_500 || column === row % 5) return null
    if (column === 1) return row * 1_000_003
    return column === 2 ? `${'é"'.repeat(row % 90)}` : `SKU-${row}-${column}`
  }
  const values = Array.from({ length: 5_990 }, (_, row) =>
    Array.from({ length: 5 }, (_, column) => cell(row, column)),
  )
  await sandbox.put(
    id,
    'A1',
    values.map((row) => row.map((value) => value ?? '')),
  )
  const whole = values.map((row) => row.map((value) => (value === '' ? null : value)))
  const last = (row: (string | number | null)[]) => row.findLastIndex((value) => value !== null) + 1
  const rows = whole.slice(0, whole.findLastIndex((row) => last(row) > 0) + 1)
  const expected = rows.map((row) => {
    const cells = row.slice(0, last(row)).map((value) => {
      if (value === null) return {}
      return { effectiveValue: typeof value === 'number' ? { numberValue: value } : { stringValue: value } }
    })
    return cells.length > 0 ? { values: cells } : {}
  })
  expect(await rowData(id, withMask('effectiveValue'))).toEqual(expected)
})

const Values = z.array(
  z.object({
    stringValue: z.string().optional(),
    numberValue: z.number().optional(),
    boolValue: z.boolean().optional(),
  }),
)

test('a reply with a mask equals the reply without one, reduced to the mask', async () => {
  const id = await sandbox.book(9, 5)
  await sandbox.put(
    id,
    'A1',
    [['x', '=1/0', '', '=A1', true], [1.5, '', '', '', ''], [], ['', '10%']],
    'USER_ENTERED',
  )
  const at = (rowIndex: number, columnIndex: number) => ({ sheetId: 0, rowIndex, columnIndex })
  const dressed = (cell: object) => [{ values: [cell] }]
  await sandbox.batch(
    id,
    {
      updateCells: {
        start: at(1, 3),
        rows: dressed({ userEnteredFormat: isoDate }),
        fields: 'userEnteredFormat',
      },
    },
    {
      updateCells: {
        start: at(0, 0),
        rows: dressed({ userEnteredFormat: bold }),
        fields: 'userEnteredFormat',
      },
    },
    { updateCells: { start: at(5, 2), rows: dressed({ note: 'a "note"' }), fields: 'note' } },
    {
      setDataValidation: {
        range: { sheetId: 0, startRowIndex: 3, endRowIndex: 4, startColumnIndex: 3, endColumnIndex: 4 },
        rule: { condition: { type: 'BLANK' }, strict: true },
      },
    },
  )
  const whole = await rowData(id, 'includeGridData=true')
  expect(whole?.map(({ values }) => (Array.isArray(values) ? values.length : 0))).toEqual([5, 4, 0, 4, 0, 3])
  const paths = [
    ['userEnteredValue'],
    ['userEnteredValue', 'formulaValue'],
    ['effectiveValue', 'stringValue'],
    ['effectiveValue', 'numberValue'],
    ['effectiveValue', 'boolValue'],
    ['effectiveValue', 'errorValue', 'type'],
    ['formattedValue'],
    ['userEnteredFormat', 'numberFormat'],
    ['effectiveFormat', 'textFormat', 'bold'],
    ['dataValidation', 'condition'],
    ['note'],
  ]
  for (const path of paths) {
    expect(await rowData(id, withMask(path.join('.')))).toEqual(whole?.map((row) => rowOf(row, path)))
  }
})

/** A row whose cells contain only this field. */
function rowOf({ values }: Record<string, unknown>, path: readonly string[]): object {
  return Array.isArray(values) ? { values: values.map((cell: unknown) => only(cell, path)) } : {}
}

function only(message: unknown, [name, ...deeper]: readonly string[]): unknown {
  if (name === undefined || typeof message !== 'object' || message === null) return message
  const inner: unknown = Reflect.get(message, name)
  return inner === undefined ? {} : { [name]: only(inner, deeper) }
}
