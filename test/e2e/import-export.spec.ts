import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

const HEADER = 'task_type,name,source_ss_id,target_ss_id,target_sheet_name'
const row = (type: string, name: string) =>
  `${type},${name},source-of-${name.toLowerCase()}-sheet,target-of-${name.toLowerCase()}-sheet,Data`
const csv = (name: string, rows: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from([HEADER, ...rows, ''].join('\n')),
})
type Sheet = { name: string; mimeType: string; buffer: Buffer }

const choose = (page: Page, file: Sheet | Sheet[]) => page.locator('input[type=file]').setInputFiles(file)
const count = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Import', exact: true }).locator('dl div', { hasText: name }).locator('dd')

async function open(page: Page): Promise<void> {
  await page.goto('/import_export')
  await expect(page.getByRole('heading', { name: 'Import/Export', level: 1 })).toBeVisible()
}

test('the page opens without sign-in; its calls ask for it', async ({ page }) => {
  await open(page)
  await expect(page.getByRole('dialog', { name: 'Login Required' })).toBeVisible()
  await page.getByRole('button', { name: 'Close dialog' }).click()
  await expect(page.getByRole('heading', { name: 'Login Required' })).toBeVisible()
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect(page.getByRole('dialog', { name: 'Login Required' })).toBeVisible()
})

test.describe('signed in', () => {
  test.beforeEach(async ({ page }) => signIn(page))

  test('a chosen file is imported and exported, and importing the export changes nothing', async ({
    page,
  }) => {
    await addType(page, 'Round trip')
    await open(page)
    await choose(page, csv('new.csv', [row('Round trip', 'Alpha'), row('Round trip', 'Beta')]))
    await expect(page.getByText('2 created, 0 updated, 0 unchanged').first()).toBeVisible()
    await expect(count(page, 'created')).toHaveText('2')
    await expect(page.getByRole('listitem').filter({ hasText: 'new.csv' })).toContainText('Completed')

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('sync_tasks_export.csv')
    await expect(page.getByText('Sync tasks exported successfully')).toBeVisible()
    const buffer = await readFile(await file.path())
    expect(buffer.toString()).toContain('Round trip,Alpha,sheet,source-of-alpha-sheet')
    await choose(page, { name: 'again.csv', mimeType: 'text/csv', buffer })
    await expect(page.getByRole('region', { name: 'Import', exact: true })).toContainText('again.csv')
    await expect(count(page, 'unchanged')).not.toHaveText('0')
    await expect(count(page, 'created')).toHaveText('0')
    await expect(count(page, 'updated')).toHaveText('0')
    await page.goto('/sync_tasks')
    await expect(
      page.getByRole('article', { name: 'Data' }).or(page.getByText('Alpha')).first(),
    ).toBeVisible()
  })

  test('refused rows are shown with their numbers and can be saved; valid ones are imported', async ({
    page,
  }) => {
    await addType(page, 'In part')
    await open(page)
    const rows = [row('In part', 'Gamma'), row('Nowhere', 'Delta'), row('In part', 'Gamma')]
    await choose(page, csv('partly.csv', rows))
    const table = page.getByRole('table', { name: '2 rows were refused' })
    await expect(table.getByRole('row').nth(1)).toHaveText(/^3task_typeThere is no task type “Nowhere”$/)
    await expect(table.getByRole('row').nth(2)).toHaveText(
      /^4nameRow 2 of this file has the same type and name$/,
    )
    await expect(page.getByText('Imported in part')).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the refused rows of partly.csv' }).click()
    expect((await readFile(await (await download).path())).toString()).toContain('3,task_type,')
  })

  test('a file is dropped on the area', async ({ page }) => {
    await addType(page, 'Dropped')
    await open(page)
    const text = [HEADER, row('Dropped', 'Epsilon')].join('\n')
    const transfer = await page.evaluateHandle((content) => {
      const dropped = new DataTransfer()
      dropped.items.add(new File([content], 'dropped.csv', { type: 'text/csv' }))
      return dropped
    }, text)
    await page.getByText('Drop a CSV file here, or').dispatchEvent('drop', { dataTransfer: transfer })
    await expect(count(page, 'created')).toHaveText('1')
  })

  test('the button that opens the file picker is reached by keyboard', async ({ page }) => {
    await open(page)
    const picker = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose a CSV file' }).focus()
    await page.keyboard.press('Enter')
    expect((await picker).isMultiple()).toBe(false)
  })

  test('a CSV file is recognised by its MIME type or name', async ({ page }) => {
    await open(page)
    const sent: string[] = []
    await page.route('**/api/sync_tasks/import', (route) => {
      sent.push(/filename="([^"]*)"/.exec(route.request().postData() ?? '')?.[1] ?? '')
      return route.abort()
    })
    const buffer = Buffer.from(HEADER)
    await choose(page, { name: 'by-type.txt', mimeType: 'text/csv', buffer })
    await expect.poll(() => sent).toEqual(['by-type.txt'])
    await choose(page, { name: 'by-name.CSV', mimeType: 'application/octet-stream', buffer })
    await expect.poll(() => sent).toEqual(['by-type.txt', 'by-name.CSV'])
  })

  test('a file that is not CSV is not sent', async ({ page }) => {
    await open(page)
    await choose(page, { name: 'tasks.xlsx', mimeType: 'application/zip', buffer: Buffer.from('PK') })
    await expect(page.getByText('Please select a CSV file')).toBeVisible()
    const large = Buffer.alloc(10_485_761, 'a')
    await choose(page, { name: 'large.csv', mimeType: 'text/csv', buffer: large })
    await expect(page.getByText('File size must be less than 10MB')).toBeVisible()
  })

  test('if the server refuses a file, the reason is shown', async ({ page }) => {
    await open(page)
    await choose(page, { name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('name\nA\n') })
    await expect(
      page.getByRole('alert').filter({ hasText: 'Import failed: The first line lacks' }).first(),
    ).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'empty.csv' })).toContainText('Failed')
  })

  const answers: [answer: { status: number; json?: object } | null, message: string][] = [
    [null, 'Import failed: No response from server. Please check your connection.'],
    [{ status: 502 }, 'Import failed: Server error: 502'],
    [{ status: 400, json: { description: 'Not a table' } }, 'Import failed: Not a table'],
    [
      {
        status: 200,
        json: {
          status: 'odd',
          message: '',
          job_id: 1,
          created: 0,
          updated: 0,
          unchanged: 0,
          failed: 0,
          errors: [],
        },
      },
      'Import completed with unknown status',
    ],
    [{ status: 200, json: { status: 'success', message: 'Three rows.' } }, 'Three rows.'],
    [
      { status: 200, json: { status: 'partial_success', message: 'Two of three rows.' } },
      'Two of three rows.',
    ],
    [{ status: 200, json: { status: 'odd', message: 'What?' } }, 'Import completed with unknown status'],
  ]
  test('the reply of an import is shown word for word, also a bare status and message, or no reply', async ({
    page,
  }) => {
    for (const [answer, message] of answers) {
      await open(page)
      await page.route('**/api/sync_tasks/import', (route) =>
        answer ? route.fulfill(answer) : route.abort(),
      )
      await choose(page, csv('any.csv', []))
      await expect(page.locator('.toast').getByText(message, { exact: true })).toBeVisible()
      await page.unroute('**/api/sync_tasks/import')
    }
  })

  test('a failed export is reported', async ({ page }) => {
    await open(page)
    await page.route('**/api/sync_tasks/export', (route) => route.fulfill({ status: 503, json: {} }))
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await expect(page.getByText('Failed to export sync tasks. Please try again.')).toBeVisible()
  })
})
