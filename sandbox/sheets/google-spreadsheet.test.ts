import { GoogleSpreadsheet } from 'google-spreadsheet'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { accessToken, testSandbox } from '../../test/fakes/sandbox.ts'

/** Opens a new spreadsheet with the npm package `google-spreadsheet`, whose requests are redirected to the sandbox. */
async function newDocument(): Promise<GoogleSpreadsheet> {
  const { root } = await testSandbox()
  const token = await accessToken(root)
  const headers = { authorization: `Bearer ${token}` }
  const created = await fetch(`${root}/v4/spreadsheets`, { method: 'POST', headers })
  const { spreadsheetId } = z.object({ spreadsheetId: z.string() }).parse(await created.json())
  // The package has no option for another root URL.
  const real = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    const url = request.url.replace(/^https:\/\/(?:sheets|www)\.googleapis\.com/, root)
    return real(new Request(url, request))
  }
  onTestFinished(() => {
    globalThis.fetch = real
  })
  const document = new GoogleSpreadsheet(spreadsheetId, { token })
  await document.loadInfo()
  return document
}

test('google-spreadsheet reads, adds and saves rows', async () => {
  const document = await newDocument()
  const sheet = await document.addSheet({ title: 'People', headerValues: ['name', 'age'] })
  await sheet.addRows([{ name: 'Ann', age: 41 }, ['Bob', '=B2+1']])
  const rows = await sheet.getRows()
  expect(rows.map((row) => row.toObject())).toEqual([
    { name: 'Ann', age: '41' },
    { name: 'Bob', age: '42' },
  ])
  rows[0]?.set('age', 50)
  await rows[0]?.save()
  const [, bob] = await sheet.getRows()
  expect(bob?.get('age')).toBe('51')
  await sheet.clearRows()
  expect(await sheet.getRows()).toEqual([])
})

test('google-spreadsheet deletes rows, sorts, moves, merges, protects, validates and copies', async () => {
  const document = await newDocument()
  const sheet = await document.addSheet({ title: 'People', headerValues: ['name', 'age'] })
  await sheet.addRows([
    { name: 'Ann', age: 41 },
    { name: 'Bob', age: 7 },
    { name: 'Cid', age: 23 },
    { name: 'Dan', age: 12 },
  ])
  const people = async () => (await sheet.getRows()).map((row) => `${row.get('name')} ${row.get('age')}`)
  const [, bob] = await sheet.getRows()
  await bob?.delete()
  expect(await people()).toEqual(['Ann 41', 'Cid 23', 'Dan 12'])
  const { sheetId } = sheet
  const below = { sheetId, startRowIndex: 1, endRowIndex: 4, startColumnIndex: 0, endColumnIndex: 2 }
  const first = { ...below, endRowIndex: 2 }
  await sheet.sortRange(below, [{ dimensionIndex: 1, sortOrder: 'ASCENDING' }])
  expect(await people()).toEqual(['Dan 12', 'Cid 23', 'Ann 41'])
  await sheet.moveDimension('ROWS', { startIndex: 3, endIndex: 4 }, 1)
  await sheet.insertRange(first, 'ROWS')
  await sheet.deleteRange(first, 'ROWS')
  expect(await people()).toEqual(['Ann 41', 'Dan 12', 'Cid 23'])
  await sheet.mergeCells(first)
  await sheet.unmergeCells(first)
  await sheet.addProtectedRange({ range: below, editors: { users: ['ada@example.com'] } })
  await sheet.updateDimensionProperties('ROWS', { pixelSize: 30 }, { startIndex: 0, endIndex: 1 })
  await sheet.autoResizeDimensions('ROWS', { startIndex: 0, endIndex: 1 })
  await sheet.setDataValidation(below, {
    condition: { type: 'BLANK', values: [] },
    strict: false,
    showCustomUi: false,
  })
  await sheet.copyToSpreadsheet(document.spreadsheetId)
  await document.loadInfo()
  const copy = document.sheetsByTitle['Copy of People']
  expect((await copy?.getRows())?.map((row) => row.get('name'))).toEqual(['Ann', 'Dan', 'Cid'])
})

test('google-spreadsheet loads, formats and saves cells', async () => {
  const document = await newDocument()
  const sheet = document.sheetsByIndex[0]
  if (!sheet) throw new Error('no tab')
  await sheet.loadCells('A1:C3')
  sheet.getCellByA1('B2').value = 0.25
  sheet.getCellByA1('B2').numberFormat = { type: 'PERCENT', pattern: '0%' }
  sheet.getCellByA1('C3').formula = '=B2*4'
  sheet.getCellByA1('A1').note = 'look'
  await sheet.saveUpdatedCells()
  sheet.resetLocalCache(true)
  await sheet.loadCells({ startRowIndex: 0, endRowIndex: 3, startColumnIndex: 0, endColumnIndex: 3 })
  expect(sheet.getCellByA1('B2')).toMatchObject({ value: 0.25, formattedValue: '25%' })
  expect(sheet.getCellByA1('C3')).toMatchObject({ value: 1, formula: '=B2*4' })
  expect(sheet.getCellByA1('A1').note).toBe('look')
})

test('google-spreadsheet changes tabs and their sizes', async () => {
  const document = await newDocument()
  await document.updateProperties({ title: 'Renamed' })
  const sheet = await document.addSheet({ title: 'Extra' })
  await sheet.resize({ rowCount: 20, columnCount: 5 })
  await sheet.updateProperties({ title: 'Small', tabColor: { red: 1, green: 0, blue: 0 } })
  await sheet.insertDimension('ROWS', { startIndex: 1, endIndex: 3 }, false)
  await document.addNamedRange('Top', { sheetId: sheet.sheetId, startRowIndex: 0, endRowIndex: 1 })
  const twin = await sheet.duplicate({ title: 'Twin', index: 0 })
  await document.loadInfo()
  expect(document.title).toBe('Renamed')
  expect(document.sheetsByIndex.map(({ title, rowCount }) => [title, rowCount])).toEqual([
    ['Twin', 22],
    ['Sheet1', 1000],
    ['Small', 22],
  ])
  await twin?.delete()
  await document.loadInfo()
  expect(document.sheetsByTitle).not.toHaveProperty('Twin')
  await expect(document.addSheet({ title: 'Small' })).rejects.toThrow('already exists')
})
