import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
const choose = (page: Page, file: ReturnType<typeof csv>) =>
  page.locator('input[type=file]').setInputFiles(file)
const jobs = (page: Page) =>
  page.getByRole('region', { name: 'Last imports and exports' }).getByRole('listitem')

test.beforeEach(async ({ page }) => {
  await signIn(page)
  await page.goto('/sync_task_types')
})

test('types come in from a file as a job, go out as a file, and the last jobs keep what they left', async ({
  page,
}) => {
  await choose(page, csv('types.csv', 'name,dependencies\nFiled last,Filed first\nFiled first,\n ,\n'))
  await expect(
    page.getByText(/^Import started successfully! Job ID: \d+\. Check job status below\.$/),
  ).toBeVisible()
  const first = jobs(page).first()
  await expect(first).toContainText('2 created, 0 updated, 0 unchanged, 1 row was refused')
  await expect(page.getByRole('row', { name: /Filed last/ })).toContainText('Filed first')
  const refused = page.waitForEvent('download')
  await first.getByRole('button', { name: 'Save the refused rows of types.csv' }).click()
  expect((await readFile(await (await refused).path())).toString()).toContain('4,name,Name is required')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^sync_task_types_export_.+\.csv$/)
  await expect(page.getByText(/^Export completed successfully! Job ID: \d+$/)).toBeVisible()
  expect((await readFile(await file.path())).toString()).toContain('Filed first | sync | success')
  await expect(
    jobs(page)
      .first()
      .getByRole('button', { name: /^Download sync_task_types/ }),
  ).toBeVisible()
})

test('what cannot be imported or exported is told word for word', async ({ page }) => {
  /** Few toasts stand at a time, and these stand long: each is closed once it is read. */
  const told = async (text: string) => {
    const toast = page.getByRole('alert').filter({ has: page.getByText(text, { exact: true }) })
    await expect(toast).toBeVisible()
    await toast.getByRole('button', { name: 'Close message' }).click()
    await expect(toast).toBeHidden()
  }
  await choose(page, { ...csv('types.xlsx', 'PK'), mimeType: 'application/zip' })
  await told('Please select a CSV file')
  await choose(page, csv('large.csv', 'a'.repeat(10_485_761)))
  await told('File size must be less than 10MB')
  await choose(page, csv('wrong.csv', 'colour\nred\n'))
  await told('The first line names a column that does not exist: colour')
  const answers: [status: number, text: string][] = [
    [400, 'Invalid file format'],
    [413, 'File too large. Please use a smaller file.'],
    [502, 'Import failed. Please try again.'],
  ]
  for (const [status, text] of answers) {
    await page.route('**/import_csv', (route) => route.fulfill({ status, body: '' }))
    await choose(page, csv('types.csv', 'name\nNever\n'))
    await told(text)
    await page.unroute('**/import_csv')
  }
  await page.route('**/export_csv', (route) => route.fulfill({ status: 502, body: '' }))
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await told('Export failed. Please try again.')
  await page.route('**/csv_import_export_jobs*', (route) => route.fulfill({ status: 404, body: '' }))
  await page.reload()
  await expect(page.getByText('Failed to fetch job status', { exact: true }).last()).toBeVisible()
})
