import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { accessToken, testSandbox } from '../../test/fakes/sandbox.ts'

const libreOffice = readFileSync(join(import.meta.dirname, 'fixtures/libreoffice.xlsx'))

async function upload(app: FastifyInstance, name: string, file: Buffer) {
  return app.inject({
    method: 'POST',
    url: '/page/books/upload',
    query: { name, owner: 'ada@example.com' },
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  })
}

/** Values, formulas and number formats of a tab as returned by the Sheets API. */
async function contentOf(app: FastifyInstance, root: string, id: string, tab: string) {
  const headers = { authorization: `Bearer ${await accessToken(root)}` }
  const values = (valueRenderOption: string) =>
    app.inject({
      url: `/v4/spreadsheets/${id}/values/${encodeURIComponent(`'${tab}'`)}`,
      query: { valueRenderOption },
      headers,
    })
  const formats = await app.inject({
    url: `/v4/spreadsheets/${id}`,
    query: { ranges: `'${tab}'!A1:Z20`, fields: 'sheets.data.rowData.values.userEnteredFormat.numberFormat' },
    headers,
  })
  return {
    unformatted: (await values('UNFORMATTED_VALUE')).json().values,
    formulas: (await values('FORMULA')).json().values,
    formats: formats.json(),
  }
}

test('a LibreOffice workbook is imported with dates, percentages, "007", formulas and merged cells', async () => {
  const { app, root } = await testSandbox()
  const uploaded = await upload(app, 'Goods.xlsx', libreOffice)
  expect(uploaded.json()).toMatchObject({
    title: 'Goods',
    owner: 'ada@example.com',
    tabs: ['Goods & prices', 'Second'],
  })
  const { unformatted, formulas, formats } = await contentOf(app, root, uploaded.json().id, 'Goods & prices')
  expect(unformatted).toEqual([
    ['Merged title', '', 'SKU'],
    [45351, expect.closeTo(45291.979166, 5), '007'],
    [0.125, 2.0625, 'line one\nline two 🌱'],
    [1234.5, 0.1, true],
    [1234.6, '#DIV/0!', 0.25],
  ])
  expect(formulas[4]).toEqual(['=SUM(A4,B4)', '=B4/0', '=A3*2'])
  expect(JSON.stringify(formats)).toContain('"type":"DATE_TIME"')
})

test('import, export and import again preserve values, formulas and formats', async () => {
  const { app, root } = await testSandbox()
  const first = (await upload(app, 'Goods.xlsx', libreOffice)).json()
  const download = await app.inject(`/page/books/${first.id}/download`)
  expect(download.headers['content-disposition']).toContain('filename="Goods.xlsx"')
  const second = (await upload(app, 'Again.xlsx', download.rawPayload)).json()
  for (const tab of ['Goods & prices', 'Second']) {
    const before = await contentOf(app, root, first.id, tab)
    expect(await contentOf(app, root, second.id, tab)).toEqual(before)
  }
})

test('the demo’s prices survive export and import, including error cells', async () => {
  const { app, root } = await testSandbox()
  const id = '1Demo-SupplierAPrices-0000000000000000000002'
  const download = await app.inject(`/page/books/${id}/download`)
  const again = (await upload(app, 'Copy.xlsx', download.rawPayload)).json()
  const before = await contentOf(app, root, id, 'Prices')
  expect(await contentOf(app, root, again.id, 'Prices')).toEqual(before)
  expect(JSON.stringify(before.unformatted)).toContain('#N/A')
})

test('a number format without a pattern is exported as its default pattern', async () => {
  const { app, root } = await testSandbox()
  const { id } = (
    await app.inject({ method: 'POST', url: '/page/books', body: { title: 'T', owner: 'ada@example.com' } })
  ).json()
  const format = {
    userEnteredValue: { numberValue: 45351 },
    userEnteredFormat: { numberFormat: { type: 'DATE' } },
  }
  await app.inject({
    method: 'POST',
    url: `/v4/spreadsheets/${id}:batchUpdate`,
    headers: { authorization: `Bearer ${await accessToken(root)}` },
    body: {
      requests: [
        {
          updateCells: {
            start: { sheetId: 0, rowIndex: 0, columnIndex: 0 },
            rows: [{ values: [format] }],
            fields: 'userEnteredValue,userEnteredFormat.numberFormat',
          },
        },
      ],
    },
  })
  const download = await app.inject(`/page/books/${id}/download`)
  const again = (await upload(app, 'x.xlsx', download.rawPayload)).json()
  const cells = await app.inject(`/page/books/${again.id}/tabs/0/cells?row=0&column=0&rows=1&columns=1`)
  expect(cells.json().shown).toEqual([['2/29/2024']])
})

test.each([
  ['text', Buffer.from('SKU,Price\n1,2')],
  ['an empty file', Buffer.from('')],
  ['a damaged archive', libreOffice.subarray(0, 1_000)],
])('%s is refused with a message', async (_what, file) => {
  const { app } = await testSandbox()
  const reply = await upload(app, 'x.xlsx', file)
  expect(reply.statusCode).toBe(400)
  expect(reply.json().error.message).toMatch(/\.xlsx/)
})

test('a title that .xlsx does not allow is changed, and titles stay unique', async () => {
  const { app } = await testSandbox()
  const { id } = (
    await app.inject({ method: 'POST', url: '/page/books', body: { title: 'T', owner: 'ada@example.com' } })
  ).json()
  for (const title of ['a/b', 'a:b', 'A_B']) {
    await app.inject({ method: 'POST', url: `/page/books/${id}/tabs`, body: { title } })
  }
  const download = await app.inject(`/page/books/${id}/download`)
  const again = (await upload(app, 'x.xlsx', download.rawPayload)).json()
  expect(again.tabs).toEqual(['Sheet1', 'a_b', 'a_b (2)', 'A_B (3)'])
})
