import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

const at = (id: string, range: string) => `/${id}/values/${encodeURIComponent(range)}`

describe('a range in a grid of 1000 x 26', () => {
  test.each([
    ['Sheet1', 'Sheet1!A1:Z1000'],
    ["'Sheet1'", 'Sheet1!A1:Z1000'],
    ['sheet1!a1', 'Sheet1!A1'],
    ['D4:A1', 'Sheet1!A1:D4'],
    ['Sheet1!A4:D1', 'Sheet1!A1:D4'],
    ['A1:A1', 'Sheet1!A1'],
    ['A1:C', 'Sheet1!A1:C1000'],
    ['C5:A', 'Sheet1!A5:C1000'],
    ['A2:2', 'Sheet1!A2:Z2'],
    ['2:5', 'Sheet1!A2:Z5'],
    ['B:B', 'Sheet1!B1:B1000'],
    ['$A$1:B$2', 'Sheet1!A1:B2'],
    ['A2:F10001', 'Sheet1!A2:F1000'],
    ['Y1:AB2', 'Sheet1!Y1:Z2'],
    ['R1C1:R2C2', 'Sheet1!A1:B2'],
    ['Sheet1!R3C2', 'Sheet1!B3'],
  ])('%s is answered as %s', async (range, answer) => {
    const id = await sandbox.book()
    expect((await sandbox.call('GET', at(id, range))).body).toEqual({ range: answer, majorDimension: 'ROWS' })
  })

  test.each([
    'B',
    '2',
    'A0',
    'Sheet1!',
    'Sheet1!B',
    'Sheet1!2',
    'Nowhere!A1',
    'A1:B2:C3',
    '5:A',
    "'Sheet1",
    'Sheet1!A1:[5',
  ])('%s cannot be parsed', async (range) => {
    const id = await sandbox.book()
    expect(await sandbox.call('GET', at(id, range))).toEqual({
      status: 400,
      body: {
        error: { code: 400, message: `Unable to parse range: ${range}`, status: 'INVALID_ARGUMENT' },
      },
    })
  })

  test('A:A of a grid with ten rows is A1:A10', async () => {
    const id = await sandbox.book(10, 3)
    expect((await sandbox.call('GET', at(id, 'A:A'))).body).toMatchObject({ range: 'Sheet1!A1:A10' })
  })

  test.each([
    ['Sheet1!A1001', 'Sheet1!A1001'],
    ['A1001:B1002', 'Sheet1!A1001:B1002'],
    ['AA1', 'Sheet1!AA1'],
    ['AB:AC', 'Sheet1!AB:AC'],
  ])('%s starts beyond the grid and is refused', async (range, named) => {
    const id = await sandbox.book()
    expect(await sandbox.refusal('GET', at(id, range))).toBe(
      `Range (${named}) exceeds grid limits. Max rows: 1000, max columns: 26`,
    )
  })
})

describe('the title of a tab', () => {
  test.each([
    ['D3', "'D3'!A1"],
    ['CRM26', "'CRM26'!A1"],
    ['R1C1', "'R1C1'!A1"],
    ['2024', "'2024'!A1"],
    ["it's", "'it''s'!A1"],
    ['two words', "'two words'!A1"],
    ['a!b', "'a!b'!A1"],
    ['🌵 x', "'🌵 x'!A1"],
    ['a/b', "'a/b'!A1"],
    ['x:append', "'x:append'!A1"],
    ['plain_1', 'plain_1!A1'],
    ['ABCD1', 'ABCD1!A1'],
    ['food.csv', 'food.csv!A1'],
  ])('%s is quoted if necessary: %s', async (title, range) => {
    const id = await sandbox.book()
    await sandbox.batch(id, { addSheet: { properties: { title } } })
    expect((await sandbox.call('GET', at(id, range))).body).toEqual({ range, majorDimension: 'ROWS' })
  })

  test('with an emoji is accepted unquoted and echoed quoted', async () => {
    const id = await sandbox.book()
    await sandbox.batch(id, {
      addSheet: { properties: { title: '🌵 x', gridProperties: { rowCount: 3, columnCount: 2 } } },
    })
    for (const range of ['🌵 x', '🌵 x!A1:B3']) {
      expect((await sandbox.call('GET', at(id, range))).body).toMatchObject({ range: "'🌵 x'!A1:B3" })
    }
  })

  test('that looks like a cell reference means the cell unless it is quoted', async () => {
    const id = await sandbox.book()
    await sandbox.batch(id, { addSheet: { properties: { title: 'D3' } } })
    expect((await sandbox.call('GET', at(id, 'D3'))).body).toMatchObject({ range: 'Sheet1!D3' })
    expect((await sandbox.call('GET', at(id, "'D3'"))).body).toMatchObject({ range: "'D3'!A1:Z1000" })
  })
})

describe('a named range', () => {
  async function withName(name: string) {
    const id = await sandbox.book()
    const range = { sheetId: 0, startRowIndex: 0, endRowIndex: 3, startColumnIndex: 1, endColumnIndex: 3 }
    await sandbox.batch(id, { addNamedRange: { namedRange: { name, range } } })
    return id
  }

  test('is resolved with and without its tab', async () => {
    const id = await withName('Prices')
    for (const range of ['Prices', 'prices', 'Sheet1!Prices', "'Sheet1'!Prices"]) {
      expect((await sandbox.call('GET', at(id, range))).body).toMatchObject({ range: 'Sheet1!B1:C3' })
    }
  })

  test('takes precedence over a tab of the same name unless quoted', async () => {
    const id = await withName('Prices')
    await sandbox.batch(id, { addSheet: { properties: { title: 'Prices' } } })
    expect((await sandbox.call('GET', at(id, 'Prices'))).body).toMatchObject({ range: 'Sheet1!B1:C3' })
    expect((await sandbox.call('GET', at(id, "'Prices'"))).body).toMatchObject({ range: 'Prices!A1:Z1000' })
  })

  test('moves with rows inserted above it and shrinks with rows deleted from it', async () => {
    const id = await withName('Prices')
    const rows = (startIndex: number, endIndex: number) => ({
      sheetId: 0,
      dimension: 'ROWS',
      startIndex,
      endIndex,
    })
    await sandbox.batch(
      id,
      { insertDimension: { range: rows(0, 2) } },
      { deleteDimension: { range: rows(2, 3) } },
    )
    expect((await sandbox.call('GET', at(id, 'Prices'))).body).toMatchObject({ range: 'Sheet1!B3:C4' })
  })
})
