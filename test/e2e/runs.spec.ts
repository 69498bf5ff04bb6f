import type { Insertable, Kysely } from 'kysely'
import type { Database } from '../../src/server/platform/schema.ts'
import { aRun } from '../fixtures/factories.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

test('a task shows its runs, newest first, as they come', async ({ page }, { testId }) => {
  await signIn(page)
  const type = await addType(page, `Runs ${testId}`, { max_retries: 0 })
  const task = await addTask(page, type, `Runs ${testId}`, [
    ['SKU', 'Price'],
    ['007', 1.5],
  ])
  await page.goto(`/sync_tasks/${task.id}`)
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible()

  const table = page.getByRole('table', { name: 'Runs' })
  const rows = table.locator('tbody').getByRole('row')
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('Success')
  await expect(rows.first()).toContainText('ada@example.com')
  await expect(rows.first()).toContainText('The target holds 1 row')

  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { source_sheet_name: 'Not there' })
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('Failed')
  await expect(rows.first()).toContainText('Not there')
  await expect(rows.last()).toContainText('Success')
})

test('older runs are shown on request; a failed load can be retried', async ({ page }, { testId }) => {
  await signIn(page)
  const task = await addTask(page, await addType(page, `Older ${testId}`), `Older ${testId}`, [['SKU']])
  const run = (id: number) => ({
    id,
    task_id: task.id,
    task_name: task.name,
    category: 'sync',
    state: 'stopped',
    trigger: 'schedule',
    triggered_by: `schedule ${id}`,
    attempts: 1,
    redeliveries: 0,
    queued_at: '2026-11-20T09:00:00.000Z',
    started_at: '2026-11-20T09:00:01.000Z',
    finished_at: '2026-11-20T09:00:05.000Z',
    duration_seconds: 4,
    rows: 0,
    requests: null,
    warnings: [],
    message: null,
    error: null,
    receipt: null,
  })
  let away = true
  await page.route(`**/api/sync_tasks/${task.id}/runs*`, (route) => {
    if (away) return route.fulfill({ status: 500, json: {} })
    const older = new URL(route.request().url()).searchParams.get('cursor') === '8'
    return route.fulfill({ json: older ? { runs: [run(7)], next: null } : { runs: [run(8)], next: 8 } })
  })
  await page.goto(`/sync_tasks/${task.id}`)
  const runs = page.getByRole('region', { name: 'Runs' })
  await expect(runs.getByRole('alert')).toBeVisible()

  away = false
  await runs.getByRole('button', { name: 'Try again' }).click()
  await expect(runs.getByRole('row', { name: /schedule 8/ })).toBeVisible()
  await runs.getByRole('button', { name: 'Show older runs' }).click()
  await expect(runs.getByRole('row', { name: /schedule 7/ })).toBeVisible()
  await expect(runs.getByRole('row', { name: /schedule 8/ })).toBeVisible()
  await expect(runs.getByRole('button', { name: 'Show older runs' })).toBeHidden()
})

/** Runs of a task that no worker made: rows as an installation has them. */
async function addRuns(
  db: Kysely<Database>,
  task: { id: number; name: string },
  runs: Partial<Insertable<Database['runs']>>[],
) {
  for (const run of runs) await aRun(db, task.id, { task_name: task.name, ...run })
}
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

test('the runs of all tasks are one live list; a row opens its reason, and its filters are in the address', async ({
  page,
  db,
}, { testId }) => {
  await signIn(page)
  const type = await addType(page, `All ${testId}`, { max_retries: 0 })
  const task = await addTask(page, type, `All ${testId}`, [['SKU'], ['007']])
  await addRuns(db, task, [
    {
      state: 'success',
      message: 'The target holds 1 row.',
      queued_at: minutesAgo(9),
      started_at: minutesAgo(9),
      finished_at: minutesAgo(8),
    },
    {
      state: 'failed',
      error: 'No edit access to "Target Warehouse".',
      queued_at: minutesAgo(5),
      started_at: minutesAgo(5),
      finished_at: minutesAgo(4),
    },
  ])
  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('link', { name: 'All runs of this task' }).click()
  await expect(page).toHaveURL(`/runs?task=${task.id}`)
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row')
  await expect(rows).toHaveCount(3)

  await page.getByLabel('Status').selectOption('Failed')
  await expect(page).toHaveURL(/state=failed/)
  await expect(rows).toHaveCount(2)
  await rows.nth(1).getByRole('link').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('No edit access to "Target Warehouse".')
  await expect(page).toHaveURL(/run=\d+/)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(rows.nth(1).getByRole('link')).toBeFocused()

  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await page.getByLabel('Search runs').fill(`All ${testId}`)
  await expect(page).toHaveURL(/q=All/)
  await expect(rows).toHaveCount(3)
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
  await expect(rows).toHaveCount(4)
  await expect(rows.nth(1)).toContainText('Success')
  await expect(rows.nth(1)).toContainText('ada@example.com')
})

test('from a bar of the timeline to its reason in one press; arrow keys reach every bar, plus and minus zoom', async ({
  page,
  db,
}, { testId }) => {
  await signIn(page)
  const type = await addType(page, `Bars ${testId}`)
  const task = await addTask(page, type, `Bars ${testId}`, [['SKU']])
  await addRuns(db, task, [
    {
      state: 'success',
      task_type_id: type,
      queued_at: minutesAgo(600),
      started_at: minutesAgo(580),
      finished_at: minutesAgo(500),
    },
    {
      state: 'failed',
      task_type_id: type,
      error: 'The sheet is gone.',
      queued_at: minutesAgo(300),
      started_at: minutesAgo(290),
      finished_at: minutesAgo(200),
    },
  ])
  await page.goto(`/runs?view=timeline&task=${task.id}`)
  const chart = page.getByRole('listbox', { name: 'Runs on a time axis' })
  await chart.focus()
  const bar = chart.getByRole('option')
  await expect(bar).toHaveAccessibleName(
    new RegExp(`^Bars ${testId} \\(Data\\), Failed, .* to .*, Waiting in the queue 10m 0s, Working 90m 0s`),
  )
  const { width = 0, x = 0, y = 0, height = 0 } = (await bar.boundingBox()) ?? {}
  await page.keyboard.press('+')
  await expect.poll(async () => (await bar.boundingBox())?.width ?? 0).toBeGreaterThan(width * 1.3)
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await bar.boundingBox())?.width ?? 0).toBeCloseTo(width, 0)
  await page.keyboard.press('ArrowLeft')
  await expect(bar).toHaveAccessibleName(/, Success, /)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Success')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await page.mouse.click(x + width / 2, y + height / 2)
  await expect(dialog).toContainText('The sheet is gone.')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: new RegExp(`^Bars ${testId}`) }).click()
  await expect(page.getByTitle(`Bars ${testId}`)).toHaveCount(2)
  await page.getByText('7 days', { exact: true }).click()
  await expect(page).toHaveURL(/range=week/)
  await expect(page.getByRole('heading', { name: 'Google quota used per minute' })).toBeVisible()
})
