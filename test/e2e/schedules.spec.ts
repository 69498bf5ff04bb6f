import type { Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

const SYNC = '/api/sync_tasks/schedule_run_all'
const NEXT = '**/api/source_schedule/next_scheduled?*'

const upcoming = (current_status: string, task_id: number, fields: object = {}) => ({
  task_id,
  task_name: `Prices ${task_id}`,
  task_type: 'Prices',
  cron_schedule: '0 2 * * *',
  next_run_time: '2026-11-20T07:00:00.000Z',
  current_status,
  ...fields,
})

const shows = (page: Page, tasks: object[]) =>
  page.route(NEXT, (route) => route.fulfill({ json: { next_scheduled_tasks: tasks } }))

test('the scheduled tasks page opens without sign-in; its data offers sign-in', async ({ page }) => {
  await page.goto('/schedule')
  await expect(page.getByRole('dialog', { name: 'Login Required' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Login Required' })).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('link', { name: 'Sign in with Google' })).toHaveAttribute(
    'href',
    '/auth/login?return_to=%2Fschedule',
  )
})

test('scheduled tasks show comment, command and schedule', async ({ page }, { testId }) => {
  await signIn(page)
  const type = await addType(page, `Nightly ${testId}`)
  const task = await addTask(page, type, `Products ${testId}`, [['SKU']])
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { scheduled_times: ['23:00', '04:00'] })
  await send(page, 'POST', SYNC, { scheduled_times: ['06:15'] })
  await page.goto('/schedule')
  const row = page.getByRole('row', { name: new RegExp(`Products ${testId}`) })
  await expect(row).toContainText(`Run sync task ${task.id}`)
  await expect(row).toContainText('04:00, 23:00 EST')
  await expect(page.getByRole('row', { name: /Run all sync tasks/ })).toContainText('06:15 EST')
  await send(page, 'POST', SYNC, { scheduled_times: [] })
  await send(page, 'DELETE', `/api/sync_tasks/${task.id}`)
})

test('ten thousand entries can be searched and are shown in parts on request', async ({ page }) => {
  await signIn(page)
  const json = Array.from({ length: 10_000 }, (_, index) => ({
    comment: `Products ${index} (Catalogue)`,
    command: `Run sync task ${index}`,
    schedule: '04:00 EST',
    is_paused: false,
  }))
  await page.route('**/api/scheduled_tasks', (route) => route.fulfill({ json }))
  await page.goto('/schedule?view=table')
  await expect(page.getByText('10,000 entries')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(201)
  await page.getByRole('button', { name: 'Show more, 9,800 left' }).click()
  await expect(page.getByRole('row')).toHaveCount(401)
  await page.getByRole('searchbox', { name: 'Search scheduled tasks' }).fill('products 9999')
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL('/schedule?view=table&q=products+9999')
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(page.getByRole('heading', { name: 'No task matches these filters' })).toBeVisible()
})

test('nothing scheduled and a failed load have their words', async ({ page }) => {
  await signIn(page)
  await page.route('**/api/scheduled_tasks', (route) => route.fulfill({ json: [] }))
  await page.goto('/schedule?view=table')
  await expect(page.getByText('No scheduled tasks found.')).toBeVisible()
  await page.unroute('**/api/scheduled_tasks')
  await page.route('**/api/scheduled_tasks', (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await expect(page.getByText('Failed to fetch scheduled tasks.').first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('upcoming source tasks need sign-in and say when there are none', async ({ page }) => {
  await page.goto('/source-schedule')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('dialog', { name: 'Login Required' })).toBeVisible()
  await page.goto('/auth/login?login_hint=ada@example.com')
  await expect(page).toHaveURL('/source-schedule')
  await expect(page.getByText('No upcoming tasks.')).toBeVisible()
})

test('upcoming source tasks show task, type, cron, next run in EST, status by colour and word', async ({
  page,
}) => {
  await signIn(page)
  await shows(page, [
    upcoming('running', 1),
    upcoming('completed', 2),
    upcoming('failed', 3),
    upcoming('pending', 4, { cron_schedule: null, task_type: null }),
  ])
  await page.goto('/source-schedule')
  const table = page.getByRole('table', { name: 'Upcoming tasks' })
  await expect(table.getByRole('columnheader')).toHaveText([
    'Task',
    'Type',
    'Cron',
    'Next Run',
    'Status',
    'Logs',
  ])
  const row = (name: string) => table.getByRole('row', { name: new RegExp(name) })
  await expect(row('Prices 1')).toContainText('Fri, Nov 20, 2026, 02:00 EST')
  await expect(row('Prices 1')).toContainText('0 2 * * *')
  await expect(row('Prices 4')).toContainText('(No Type Assigned)')
  await expect(row('Prices 4')).toContainText('Run All')
  await expect(row('Prices 1').getByRole('link')).toHaveText('View')
  await expect(row('Prices 1').getByRole('link')).toHaveAttribute('href', '/source_tasks/1/logs')
  const tones = await table
    .locator('[data-tone]')
    .evaluateAll((badges) => badges.map((badge) => `${badge.textContent} ${badge.getAttribute('data-tone')}`))
  expect(tones).toEqual(['running running', 'completed success', 'failed error', 'pending neutral'])

  await page.unroute(NEXT)
  await shows(page, [upcoming('completed', 9)])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(row('Prices 9')).toBeVisible()
  await expect(row('Prices 1')).toHaveCount(0)

  await page.unroute(NEXT)
  await page.route(NEXT, (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await expect(table).toHaveCount(0)
})

test('the source schedule is stopped only after a confirmation that lists what will be missed, and started again', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/source-schedule')
  const bar = page.getByRole('region', { name: 'Source schedule' })
  await expect(bar).toContainText(
    /Running.*Scheduler seen \d+s ago · checks every 60 s · 0 queued · 0 running/,
  )
  const dialog = page.getByRole('dialog', { name: 'Stop the source schedule' })
  await bar.getByRole('button', { name: 'Stop' }).click()
  await expect(dialog).toContainText('Runs due until then are missed')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(bar).toContainText('Running')
  await bar.getByRole('button', { name: 'Stop' }).click()
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await expect(bar).toContainText('these runs will be missed until it is started again')
  await bar.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByText('The source schedule is running')).toBeVisible()
  await expect(bar.getByRole('button', { name: 'Stop' })).toBeVisible()
})

test('a state of the source schedule that cannot be loaded shows an error and is loaded on retry', async ({
  page,
}) => {
  const STATUS = '**/api/source_schedule/status'
  await signIn(page)
  await page.route(STATUS, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/source-schedule')
  const problem = page
    .getByRole('alert')
    .filter({ hasText: 'Failed to load the state of the source schedule' })
  await expect(problem).toBeVisible()
  await page.unroute(STATUS)
  await problem.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Source schedule' })).toBeVisible()
})
