import type { Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { forecast, lateForecast } from './forecast-reply.ts'

const LIST = /\/api\/ready_by(\?.*)?$/
const BULK = '**/api/tasks/bulk'

const late = lateForecast()

const shows = (page: Page, entries: object[]) =>
  page.route(LIST, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: entries }) : route.continue(),
  )

const list = (page: Page) => page.getByRole('table', { name: 'Ready by' })

test('a time for a task is set, changed and removed on its page; the forecast says that no run is known', async ({
  page,
}, { testId }) => {
  await signIn(page)
  const type = await addType(page, `Ready ${testId}`)
  const task = await addTask(page, type, `Prices ${testId}`, [['SKU']])
  await page.goto(`/sync_tasks/${task.id}`)
  const card = page.getByRole('region', { name: 'State' })
  await card.getByRole('button', { name: 'Set a time' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ready by' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('Please enter a valid time')
  await dialog.getByLabel(/^Ready by/).fill('07:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('07:00')
  await expect(card).toContainText('None of its tasks has run successfully yet.')
  await card.getByRole('button', { name: 'Change' }).click()
  await dialog.getByRole('combobox', { name: 'What has to be ready' }).click()
  await page.getByRole('option', { name: `All tasks of the type Ready ${testId}` }).click()
  await dialog.getByLabel(/^Ready by/).fill('06:30')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText(`06:30 (type Ready ${testId})`)
  await card.getByRole('button', { name: 'Change' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(card).not.toContainText('07:00')
  await expect(card).toContainText('06:30')
  await page.goto('/schedule')
  await expect(page.getByRole('region', { name: 'Ready by' })).toContainText(`Ready ${testId}`)
  await send(page, 'PUT', '/api/ready_by', { kind: 'type', id: type, ready_by: null })
})

test('the list says when each will be ready, on what that is based, and why nothing is known', async ({
  page,
}) => {
  await signIn(page)
  await shows(page, [
    late,
    forecast({ id: 4, name: 'Prices' }),
    forecast({ id: 5, name: 'Feeds', ready_at_worst: '2050-01-10T12:05:00.000Z' }),
    forecast({ id: 6, name: 'Photos', ready_at_worst: null, tasks: 3, measured_tasks: 1, measured_runs: 1 }),
    forecast({
      id: 7,
      name: 'New',
      ready_at: null,
      ready_at_worst: null,
      reason: 'Nothing is scheduled before this time.',
    }),
    forecast({ id: 8, name: 'Done', is_ready: true }),
  ])
  await page.goto('/schedule')
  const row = (name: string) => list(page).getByRole('row', { name: new RegExp(name) })
  await expect(row('Shops')).toContainText('Late')
  await expect(row('Prices')).toContainText(
    'On time Expected 06:41, at worst 06:58; 19 minutes to spare From the last 14 runs of 2 tasks.',
  )
  await expect(row('Feeds')).toContainText('Tight')
  await expect(row('Photos')).toContainText(
    'Expected 06:41; 19 minutes to spare From the last run. 2 tasks have no recent successful run and count as the average. Too few runs to predict the worst case.',
  )
  await expect(row('New')).toContainText('Unknown Nothing is scheduled before this time.')
  await expect(row('Done')).toContainText('Ready since 06:41')
})

test('a suggestion is applied to the schedules and undone', async ({ page }) => {
  await signIn(page)
  let entries = [late]
  await page.route(LIST, (route) => route.fulfill({ json: entries }))
  const bodies: unknown[] = []
  const reply = (message: string, bulk_id: number | null) => ({
    ...{ status: 'success', message, action: 'change_schedule', bulk_id, results: [] },
    ...{ counts: { done: 2, skipped: 0, refused: 0, unknown: 0 }, undo_until: null },
  })
  await page.route(BULK, (route) => {
    bodies.push(route.request().postDataJSON())
    entries = [forecast()]
    return route.fulfill({ json: reply('Changed the schedule of 2 tasks.', 9) })
  })
  await page.route(`${BULK}/9/undo`, (route) => {
    entries = [late]
    return route.fulfill({ json: reply('2 tasks are as before.', null) })
  })
  await page.goto('/schedule')
  await list(page).getByRole('button', { name: 'Move these 2 to 05:10' }).click()
  await expect(page.getByText('Changed the schedule of 2 tasks.')).toBeVisible()
  await expect(list(page)).toContainText('On time')
  expect(bodies).toEqual([{ action: 'change_schedule', ids: [1, 2], scheduled_times: ['05:10'] }])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(list(page).getByRole('button', { name: 'Move these 2 to 05:10' })).toBeVisible()
})

test('a suggestion that no longer helps is not applied', async ({ page }) => {
  await signIn(page)
  await page.route(LIST, (route) => {
    const moves = [{ ids: [1], scheduled_times: ['05:10'] }]
    const isFresh = route.request().url().includes('fresh')
    return route.fulfill({ json: [isFresh ? { ...late, moves, suggestion: 'Move it to 05:10.' } : late] })
  })
  let calls = 0
  await page.route(BULK, (route) => {
    calls += 1
    return route.abort()
  })
  await page.goto('/schedule')
  await list(page).getByRole('button', { name: 'Move these 2 to 05:10' }).click()
  await expect(page.getByText('The schedules have changed. See the new forecast.')).toBeVisible()
  await expect(list(page).getByRole('button', { name: 'Move it to 05:10' })).toBeVisible()
  expect(calls).toBe(0)
})

test('rows of a list say which tasks were not ready in time, and which will not be', async ({ page }, {
  testId,
}) => {
  await signIn(page)
  const type = await addType(page, `Due ${testId}`)
  const [a, b, c] = [
    await addTask(page, type, `Overdue ${testId}`, [['SKU']]),
    await addTask(page, type, `Slow ${testId}`, [['SKU']]),
    await addTask(page, type, `Punctual ${testId}`, [['SKU']]),
  ]
  await shows(page, [
    { ...late, late_task_ids: [b.id] },
    forecast({ id: 4, ready_by: '06:00', overdue_task_ids: [a.id] }),
  ])
  await page.goto(`/sync_tasks?q=${testId}`)
  const row = (name: string) => page.getByRole('article', { name })
  await expect(row(a.name).getByText('Late', { exact: true })).toBeVisible()
  await expect(
    row(a.name).getByTitle('It was to be ready by 06:00 and has not succeeded since'),
  ).toBeVisible()
  await expect(row(b.name).getByText('Will be late')).toBeVisible()
  await expect(
    row(b.name).getByTitle(/It will not be ready by 07:00\. 2 runs will end 9 minutes late/),
  ).toBeVisible()
  await expect(row(c.name).getByText(/late/i)).toHaveCount(0)
})
