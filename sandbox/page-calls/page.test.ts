import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildSite, SANDBOX_PAGE } from '../../scripts/web-build.ts'
import { chromiumOptions } from '../../test/e2e/chromium.ts'
import { accessToken, testSandbox } from '../../test/fakes/sandbox.ts'
import { axeFindings } from '../../test/fixtures/axe.ts'
import { demoIds } from '../demo/seed.ts'

const fixture = join(import.meta.dirname, '../xlsx/fixtures/libreoffice.xlsx')
const urlOf = (id: string) => `/spreadsheets/d/${id}/edit`

let browser: Browser

beforeAll(async () => {
  await buildSite(join(import.meta.dirname, '../..'), SANDBOX_PAGE)
  browser = await chromium.launch(await chromiumOptions())
})
afterAll(() => browser.close())

/** Opens a page of a new sandbox; a console message fails the test. */
async function open(path: string) {
  const { app, root } = await testSandbox()
  const context = await browser.newContext({ baseURL: root, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // The browser logs this for every error reply, which tests of errors provoke.
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  await page.goto(path)
  return { app, root, page }
}

async function write(app: FastifyInstance, root: string, range: string, values: unknown[][]) {
  await app.inject({
    method: 'PUT',
    url: `/v4/spreadsheets/${demoIds.shop}/values/${range}`,
    query: { valueInputOption: 'RAW' },
    headers: { authorization: `Bearer ${await accessToken(root)}` },
    body: { values },
  })
}

const cell = (page: Page, row: number, column: number) => page.locator(`#cell-${row}-${column}`)

const scope = 'openid email https://www.googleapis.com/auth/spreadsheets'
const chooserUrl = (redirect_uri: string) =>
  `/o/oauth2/v2/auth?${new URLSearchParams({ client_id: 'rowferry-sandbox', redirect_uri, response_type: 'code', scope })}`

test('spreadsheets are listed, searched and opened', async () => {
  const { page } = await open('/')
  await page.getByLabel('Find a spreadsheet').fill('supplier b')
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  await page.getByRole('link', { name: 'Supplier B stock' }).click()
  await page.getByRole('heading', { name: 'Supplier B stock' }).waitFor()
  await page.locator('.cell', { hasText: 'Warehouse' }).waitFor()
})

test('the grid fills while a program writes', async () => {
  const { app, root, page } = await open(urlOf(demoIds.shop))
  await page.getByRole('grid', { name: 'Products' }).waitFor()
  await write(app, root, 'Products!A1', [
    ['SKU', 'Price'],
    ['007', 12.5],
  ])
  await cell(page, 1, 1).getByText('12.5').waitFor()
  await write(app, root, 'Products!B2', [[13]])
  await cell(page, 1, 1).getByText('13', { exact: true }).waitFor()
  expect(await cell(page, 1, 0).textContent()).toBe('007')
})

test('typing follows the rules of the real grid: dates, percentages, formulas, and an apostrophe for text', async () => {
  const { page } = await open(urlOf(demoIds.shop))
  await page.getByRole('grid').focus()
  for (const [typed, shown] of [
    ['2024-02-29', '2024-02-29'],
    ['12.5%', '12.50%'],
    ['0042', '42'],
    ["'0042", '0042'],
    ['=A3*2', '84'],
  ] as const) {
    const active = await page.locator('.cell.active').getAttribute('id')
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await page.locator(`#${active}`).getByText(shown, { exact: true }).waitFor()
  }
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => page.locator('.formula output').textContent()).toBe('=A3*2')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => page.locator('.formula output').textContent()).toBe("'0042")
  await page.keyboard.press('Delete')
  await expect.poll(() => cell(page, 3, 0).textContent()).toBe('')
})

test.each([
  ['Catalogue master', demoIds.master],
  ['Supplier B stock', demoIds.stock],
  ['Supplier C content', demoIds.content],
])('entering the text that a cell shows for editing changes nothing: %s', async (_title, id) => {
  const { app, root } = await testSandbox()
  const headers = { authorization: `Bearer ${await accessToken(root)}` }
  const read = async () =>
    (
      await app.inject({
        url: `/v4/spreadsheets/${id}/values/A1:K60`,
        query: { valueRenderOption: 'UNFORMATTED_VALUE' },
        headers,
      })
    ).json()
  const before = await read()
  const cells = `/page/books/${id}/tabs/0`
  const typed: string[][] = []
  for (let row = 0; row < 60; row += 1) {
    const texts = Array.from({ length: 11 }, (_, column) =>
      app.inject(`${cells}/source?row=${row}&column=${column}`).then((reply) => reply.json().text),
    )
    typed.push(await Promise.all(texts))
  }
  const entered = await app.inject({
    method: 'PUT',
    url: `${cells}/cells`,
    body: { row: 0, column: 0, typed },
  })
  expect(entered.statusCode).toBe(200)
  expect(await read()).toEqual(before)
})

test('Escape cancels an edit, arrows and Ctrl+End move, and pasting fills a block', async () => {
  const { page } = await open(urlOf(demoIds.shop))
  const entered: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') entered.push(request.postDataJSON().typed)
  })
  const grid = page.getByRole('grid')
  await grid.focus()
  await page.keyboard.type('never')
  expect(await page.getByRole('textbox', { name: 'Edit A1' }).inputValue()).toBe('never')
  await page.keyboard.press('Escape')
  await expect.poll(() => cell(page, 0, 0).textContent()).toBe('')
  await page.keyboard.press('Control+End')
  await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBe('cell-999-25')
  await page.keyboard.press('Control+Home')
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'a\t1\nb\t2\n')
    document
      .querySelector('.grid')
      ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  })
  await cell(page, 1, 1).getByText('2', { exact: true }).waitFor()
  expect(await cell(page, 1, 0).textContent()).toBe('b')
  await page.keyboard.type('c')
  await page.keyboard.press('Enter')
  await cell(page, 0, 0).getByText('c', { exact: true }).waitFor()
  // Neither cancelled nor duplicate entries.
  expect(entered).toEqual([
    [
      ['a', '1'],
      ['b', '2'],
    ],
    [['c']],
  ])
})

test('a tab of 100,000 rows keeps only those in view in the document', async () => {
  const { app, root, page } = await open('/')
  const headers = { authorization: `Bearer ${await accessToken(root)}` }
  const created = await app.inject({
    method: 'POST',
    url: '/v4/spreadsheets',
    headers,
    body: {
      properties: { title: 'Big' },
      sheets: [{ properties: { title: 'Data', gridProperties: { rowCount: 100_000, columnCount: 26 } } }],
    },
  })
  const { spreadsheetId } = created.json()
  await app.inject({
    method: 'PUT',
    url: `/v4/spreadsheets/${spreadsheetId}/values/Z100000`,
    query: { valueInputOption: 'RAW' },
    headers,
    body: { values: [['the last cell']] },
  })
  await page.goto(urlOf(spreadsheetId))
  await cell(page, 0, 0).waitFor()
  await page.getByRole('grid').press('Control+End')
  await cell(page, 99_999, 25).getByText('the last cell').waitFor()
  expect(await page.locator('.grid-row').count()).toBeLessThan(80)
})

test('a block pasted at the edge grows the grid', async () => {
  const { app } = await testSandbox()
  const tab = `/page/books/${demoIds.shop}/tabs/0`
  const body = { row: 999, column: 25, typed: [['a', 'b'], ['c']] }
  expect((await app.inject({ method: 'PUT', url: `${tab}/cells`, body })).statusCode).toBe(200)
  const detail = (await app.inject(`/page/books/${demoIds.shop}`)).json()
  expect(detail.tabs).toMatchObject([{ row_count: 1001, column_count: 27 }])
  const cells = await app.inject(`${tab}/cells?row=999&column=25&rows=2&columns=2`)
  expect(cells.json().shown).toEqual([['a', 'b'], ['c']])
})

test('a tab is added, renamed and refused a name that is taken', async () => {
  const { page } = await open(urlOf(demoIds.shop))
  await page.getByRole('button', { name: 'Add tab' }).click()
  await page.getByRole('grid', { name: 'Sheet2' }).waitFor()
  await page.getByRole('button', { name: 'Sheet2' }).press('F2')
  await page.getByRole('textbox', { name: 'New name of Sheet2' }).fill('Archive')
  await page.keyboard.press('Enter')
  await page.getByRole('grid', { name: 'Archive' }).waitFor()
  await page.locator('button:focus', { hasText: 'Archive' }).waitFor()
  await page.getByRole('button', { name: 'Archive' }).dblclick()
  await page.getByRole('textbox').fill('Products')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('already exists').waitFor()
})

test('an .xlsx file is uploaded and downloaded', async () => {
  const { page } = await open('/')
  await page.locator('input[type=file]').setInputFiles(fixture)
  await page.getByRole('heading', { name: 'libreoffice' }).waitFor()
  await cell(page, 2, 0).getByText('12.5%').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download .xlsx' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('libreoffice.xlsx')
})

test('the controls switch a fault on and off and show its effect on requests', async () => {
  const { app, root, page } = await open(urlOf(demoIds.shop))
  await page.getByRole('button', { name: 'Controls' }).click()
  await page.getByLabel('Apply to').selectOption('every request')
  await page.getByRole('checkbox', { name: /^503/ }).click()
  await page.getByText('on: every request, reads and writes').waitFor()
  await write(app, root, 'Products!A1', [['lost']])
  const latest = page.locator('.requests li').first()
  await latest.getByText('503').waitFor()
  await latest.getByText('not applied').waitFor()
  await page.getByRole('button', { name: 'Back to normal' }).click()
  await expect.poll(() => page.getByRole('checkbox', { name: /^503/ }).isChecked()).toBe(false)
  await page.getByRole('checkbox', { name: "Enforce Google's quota" }).click()
  await expect.poll(async () => (await app.inject('/control/quotas')).json().enabled).toBe(true)
})

test('a user signs in using only the keyboard', async () => {
  const { root, page } = await open('/')
  await page.goto(chooserUrl(`${root}/callback`))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/callback\?code=/)
  expect(page.url()).toContain(encodeURIComponent('https://www.googleapis.com/auth/spreadsheets'))
})

test('axe reports no violations in light and dark mode, on desktop and phone', async () => {
  const { app, root, page } = await open('/')
  await write(app, root, 'Products!A1', [
    ['SKU', 'Price', 'Active'],
    ['007', 12.5, true],
  ])
  const desk = { width: 1440, height: 900 }
  const phone = { width: 390, height: 844 }
  // All rows have the same structure, so axe checks only the first ones.
  const exclude = ['.grid-row:nth-child(n + 6)']
  const findsNothing = async (screen: string, viewports = [phone, desk]) => {
    for (const viewport of viewports) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        // The colour scheme changes only colours.
        const options = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {}
        const look = `${screen}, ${colorScheme}, ${viewport.width} px`
        expect(await axeFindings(page, options, exclude), look).toEqual([])
      }
    }
  }
  await page.locator('tbody tr').first().waitFor()
  await findsNothing('list')
  await page.goto(urlOf(demoIds.shop))
  await cell(page, 1, 0).getByText('007').waitFor()
  // On a wide screen the panel is beside the grid.
  await findsNothing('grid', [phone])
  await page.getByRole('button', { name: 'Controls' }).click()
  await page.getByRole('checkbox', { name: /^503/ }).click()
  await page.getByText(/^on: /).waitFor()
  await findsNothing('controls')
  await page.goto(chooserUrl('http://127.0.0.1:39999/callback'))
  await findsNothing('account chooser')
})
