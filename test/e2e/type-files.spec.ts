import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { findsNothing } from './axe.ts'

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
const choose = (page: Page, file: ReturnType<typeof csv>) =>
  page.locator('input[type=file]').setInputFiles(file)
const jobs = (page: Page) =>
  page.getByRole('region', { name: 'Last imports and exports' }).getByRole('listitem')

test.beforeEach(async ({ page }) => {
  await signIn(page)
  await page.goto('/sync_task_types')
})

test('types are imported from a file as a job and exported to a file, and the last jobs keep their files', async ({
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

test('failed imports and exports are reported word for word', async ({ page }) => {
  /** Waits for a toast and closes it: the number of visible toasts is limited. */
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
  const exporting = page.getByRole('button', { name: 'Export', exact: true })
  await page.route('**/export_csv', (route) => route.fulfill({ status: 502, body: '' }))
  await exporting.click()
  await told('Export failed. Please try again.')
  await page.unroute('**/export_csv')
  // no reply, and the timeout of thirty seconds elapses immediately
  await page.route('**/export_csv', () => {})
  await page.evaluate(() => {
    const limit = AbortSignal.timeout
    AbortSignal.timeout = (ms) => limit.call(AbortSignal, ms === 30_000 ? 1 : ms)
  })
  await exporting.click()
  await told('Export timed out. Please try again.')
  await page.unroute('**/export_csv')
  await page.reload()
  await exporting.click()
  await page.route('**/download', (route) => route.fulfill({ status: 404, body: '' }))
  await jobs(page)
    .getByRole('button', { name: /^Download sync_task_types/ })
    .first()
    .click()
  await told('Failed to download file')
  await page.route('**/csv_import_export_jobs*', (route) => route.fulfill({ status: 404, body: '' }))
  await page.reload()
  await expect(page.getByText('Failed to fetch job status', { exact: true }).last()).toBeVisible()
})

test('source types are imported in their dialog: options, progress, result, and the banner of the job', async ({
  page,
}) => {
  await page.goto('/source-task-types')
  const dialog = page.getByRole('dialog', { name: 'Import Source Task Types' })
  const send = dialog.getByRole('button', { name: 'Import', exact: true })
  const open = () => page.getByRole('button', { name: 'Import', exact: true }).click()
  await open()
  await send.click()
  await expect(dialog).toContainText('Please select a file to import')
  await choose(page, { ...csv('types.txt', 'name'), mimeType: 'text/plain' })
  await expect(dialog).toContainText('Please select a valid CSV file')

  const header = 'name,group_name,description,cron_schedule,is_active'
  await choose(
    page,
    csv('types.csv', `${header}\nDialog one,Dialogs,,,false\nDialog two,Dialogs,,never,true\n`),
  )
  await expect(dialog).toContainText(/types\.csv \d+ bytes/)
  await expect(
    dialog.getByRole('checkbox', { name: 'Validate cron expressions before import' }),
  ).toBeChecked()
  await dialog.getByRole('checkbox', { name: 'Activate imported types automatically' }).check()
  await send.click()
  await expect(dialog).toContainText(/Import Successful.*created1.*1 row was refused/s)
  // the list behind the dialog is reloaded immediately
  await expect(page.locator('tr', { hasText: 'Dialog one' })).toBeAttached()
  await expect(dialog).toContainText(/Import Successful/)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('row', { name: /Dialog one/ })).toBeVisible()

  await open()
  await choose(
    page,
    csv('types.csv', `${header}\nDialog one,Renamed,,,true\nDialog two,Dialogs,,never,true\n`),
  )
  await dialog.getByRole('checkbox', { name: 'Overwrite existing types with the same name' }).check()
  await dialog.getByRole('checkbox', { name: 'Validate cron expressions before import' }).uncheck()
  await send.click()
  await expect(dialog).toContainText(/created1.*updated1/s)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await open()
  await choose(page, csv('types.csv', 'name,group_name\nNo description,\n'))
  await send.click()
  await expect(dialog).toContainText('Import Error')
  await findsNothing(page, 'an import that failed')
})

test('an import that fails after its dialog was closed is reported', async ({ page }) => {
  await page.goto('/source-task-types')
  const refuse = Promise.withResolvers<void>()
  await page.route('**/api/source_task_types/import_csv', async (route) => {
    await refuse.promise
    await route.fulfill({ status: 502, body: '' })
  })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Import Source Task Types' })
  await dialog.locator('input[type=file]').setInputFiles(csv('types.csv', 'name\nLate\n'))
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(dialog).toBeHidden()
  refuse.resolve()
  await expect(page.getByRole('alert').getByText('Failed to import CSV', { exact: true })).toBeVisible()
})

test('types that are imported before the jobs are loaded are shown', async ({ page }) => {
  let isHeld = true
  await page.route(/csv_import_export_jobs/, async (route) => {
    while (isHeld) await page.waitForTimeout(50)
    await route.continue()
  })
  await page.goto('/sync_task_types')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await choose(page, csv('types.csv', 'name,dependencies\nFiled early,\n'))
  await expect(page.getByText(/^Import started successfully!/)).toBeVisible()
  await expect
    .poll(async () => JSON.stringify(await send(page, 'GET', '/api/sync_task_types')))
    .toContain('Filed early')
  isHeld = false
  await expect(page.getByRole('row', { name: /Filed early/ })).toBeVisible()
})
