import type { Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

const small = [
  ['SKU', 'Price'],
  ['007', 1.5],
]

test.beforeEach(async ({ page }) => signIn(page))

const added = async (page: Page, name: string, rows = small) =>
  addTask(page, await addType(page, name), name, rows)

test('the detail page is a task card with the actions in its header; a failed load is “Sync task not found.”', async ({
  page,
}, { testId }) => {
  const name = `Detail ${testId}`
  const task = await added(page, name)
  await page.goto(`/sync_tasks/${task.id}`)
  const card = page.getByRole('region', { name: 'State' })
  await expect(card).toHaveCount(1)
  await expect(card).toContainText('Pending')
  await expect(card.getByRole('link', { name: `${name} target / Data` })).toHaveAttribute(
    'href',
    new RegExp(`/spreadsheets/d/${task.target_ss_id}/edit$`),
  )
  await expect(card.getByRole('button', { name: /^Check Google Sheet/ })).toHaveCount(1)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} Data`)
  await expect(page).toHaveTitle(`${name} · Data · Rowferry`)
  await expect(page.getByRole('main').getByRole('link', { name: 'Back to Sync Tasks' })).toHaveAttribute(
    'href',
    '/sync_tasks',
  )

  await page.goto('/sync_tasks/999999')
  await expect(page.getByRole('heading', { name: 'Sync task not found.' })).toBeVisible()
  await page.goto('/sync_tasks/no-number')
  await expect(page.getByRole('heading', { name: 'Sync task not found.' })).toBeVisible()
  for (const path of ['logs', 'data_copy']) {
    await page.goto(`/sync_tasks/999999/${path}`)
    await expect(page.getByRole('heading', { name: 'Sync task not found.' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  await page.route(`**/api/sync_tasks/${task.id}`, (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto(`/sync_tasks/${task.id}`)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Sync task not found.')
})

test('the log is a table of Level, Message and Timestamp: INFO blue, SUCCESS green, WARNING yellow, ERROR red; back leads to /sync_tasks', async ({
  page,
}, { testId }) => {
  const task = await added(page, `Logs ${testId}`)
  const tones = { INFO: 'info', SUCCESS: 'success', WARNING: 'warning', ERROR: 'error' }
  const levels = Object.keys(tones)
  await page.route('**/logs?*', (route) =>
    route.fulfill({
      json: levels.map((level, index) => ({
        id: 9 - index,
        level,
        message: `A line of ${level}`,
        timestamp: `2026-11-20T09:00:0${index}.000Z`,
        formatted_timestamp: `Nov 20, 2026, 04:00:0${index} EST`,
        run_id: null,
      })),
    }),
  )
  await page.goto(`/sync_tasks/${task.id}/logs`)
  const table = page.getByRole('table')
  await expect(table.getByRole('columnheader')).toHaveText(['Level', 'Message', 'Timestamp'])
  for (const [level, tone] of Object.entries(tones)) {
    const row = table.getByRole('row', { name: `A line of ${level}` })
    await expect(row.locator('[data-tone]')).toHaveAttribute('data-tone', tone)
    await expect(row.locator('[data-tone]')).toHaveText(level)
  }
  await expect(table.getByRole('row', { name: /A line of INFO/ })).toContainText('Nov 20, 2026, 04:00:00 EST')
  await test.step('Clear Logs asks first', async () => {
    await page.getByRole('button', { name: 'Clear Logs' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm Clear Logs' })
    await expect(dialog).toContainText(`All log lines of “${task.name}” are deleted for all users.`)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(table.getByRole('row')).toHaveCount(5)
  })
  await page.getByRole('link', { name: 'Back to Sync Tasks' }).click()
  await expect(page).toHaveURL('/sync_tasks')
})

test('Select Columns has a checkbox per column and starts from the default ones; back leads to /sync_tasks', async ({
  page,
}, { testId }) => {
  const head = Array.from({ length: 25 }, (_, index) => `Field ${index + 1}`)
  const task = await added(page, `Columns ${testId}`, [head, head.map((_, index) => `value ${index + 1}`)])
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
  await page.goto(`/sync_tasks/${task.id}`)
  await expect(page.getByRole('region', { name: 'State' })).toContainText('Success')
  await page.goto(`/sync_tasks/${task.id}/data_copy`)
  const table = page.getByRole('table', { name: 'Copied data' })
  await expect(table).toHaveAttribute('aria-colcount', '20')
  await page.getByRole('button', { name: 'Select Columns' }).click()
  const dialog = page.getByRole('dialog', { name: 'Select Columns' })
  await expect(dialog.getByRole('checkbox')).toHaveCount(25)
  await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(20)
  await dialog.getByRole('button', { name: 'None' }).click()
  await expect(dialog.getByRole('button', { name: 'Show' })).toBeDisabled()
  for (const column of ['Field 3', 'Field 25'])
    await dialog.getByRole('checkbox', { name: column, exact: true }).check()
  await dialog.getByRole('button', { name: 'Show' }).click()
  await expect(table.getByRole('columnheader')).toHaveText(['Field 3', 'Field 25'])
  await expect(table.getByRole('cell')).toHaveText(['value 3', 'value 25'])
  await page.reload()
  await expect(table.getByRole('columnheader')).toHaveText(['Field 3', 'Field 25'])
  await page.getByRole('link', { name: 'Back to Sync Tasks' }).click()
  await expect(page).toHaveURL('/sync_tasks')
})
