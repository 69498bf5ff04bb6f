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

test('older runs are shown when asked for; what cannot be loaded can be tried again', async ({ page }, {
  testId,
}) => {
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
