import type { Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { calendarReply } from './calendar-reply.ts'

const CALENDAR = '**/api/schedule_calendar?*'
// Clock changes in New York: the second Sunday of March and the first Sunday of November.
const SPRING = '2050-03-13'
const AUTUMN = '2050-11-06'

const strip = (page: Page) => page.getByRole('group', { name: 'Hours' })
const hour = (page: Page, name: RegExp) => page.getByRole('button', { name })
const conflicts = (page: Page) => page.getByRole('region', { name: 'Conflicts' })

async function openMocked(page: Page, path: string, reply = calendarReply()) {
  await signIn(page)
  await page.route(CALENDAR, (route) => route.fulfill({ json: reply }))
  await page.goto(path)
  await expect(page.getByRole('table', { name: 'Entries' })).toBeVisible()
}

test('a conflict links to its hour, and an hour lists its entries with links to their tasks and types', async ({
  page,
}) => {
  await openMocked(page, '/schedule')
  await expect(conflicts(page).getByRole('link')).toHaveText([
    '67 tasks at 07:30 need 11 minutes of quota',
    '310 tasks at 23:30 need 1\u00a0h 3\u00a0min of quota',
  ])
  await conflicts(page).getByRole('link').first().click()
  const panel = page.getByRole('region', { name: 'Monday, January 10, 2050, 07:00' })
  await expect(panel).toContainText(
    '67 runs · about 38 minutes of work · 201 reads and 134 writes · 6 % of the quota',
  )
  await expect(panel.getByRole('listitem')).toHaveText([
    /^07:00, 07:20, 07:40Supplier feeds12 tasks/,
    /^07:30Catalogue/,
    /^07:30Prices Nightly/,
  ])
  const links = panel.getByRole('link')
  expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
    '/source-task-types/3/edit',
    '/unified-task-types?q=Catalogue',
    '/sync_tasks/1',
  ])
  await expect(page).toHaveURL(/hour=2050-01-10T12%3A30/)
  await page.reload()
  await expect(panel).toBeVisible()
  await page.getByRole('button', { name: 'Close the hour' }).click()
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL('/schedule')
})

test('the day is operated by keyboard: one stop for all hours, arrows between them, Enter opens one', async ({
  page,
}) => {
  await openMocked(page, '/schedule')
  await hour(page, /10, 2050, 00:00/).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(hour(page, /10, 2050, 02:00/)).toBeFocused()
  await page.keyboard.press('End')
  await expect(hour(page, /10, 2050, 23:00, 310 runs.*runs wait for the quota/)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Monday, January 10, 2050, 23:00' })).toContainText(
    'Run All of sync tasks',
  )
  await expect(strip(page).locator('[tabindex="0"]')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Close the hour' })).toBeFocused()
})

test('the week is a grid of days and hours with arrow keys in both directions', async ({ page }) => {
  await openMocked(page, '/schedule?view=week', calendarReply({ days: 7, past: 6 }))
  const grid = page.getByRole('table', { name: 'Week by hour' })
  await expect(grid.getByRole('columnheader')).toHaveCount(8)
  await hour(page, /January 10, 2050, 07:00/).click()
  await page.keyboard.press('ArrowRight')
  await expect(hour(page, /January 11, 2050, 07:00/)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Tuesday, January 11, 2050, 06:00' })).toBeVisible()
  await expect(page).toHaveURL(/view=week&hour=/)
})

test('a search by name, type or time finds entries and their hours, and is in the URL', async ({ page }) => {
  await openMocked(page, '/schedule')
  const rows = page.getByRole('table', { name: 'Entries' }).locator('tbody').getByRole('row')
  await expect(rows).toHaveCount(5)
  const search = page.getByRole('searchbox', { name: 'Search scheduled tasks' })
  await search.fill('nightly prices')
  await expect(rows).toHaveCount(1)
  await search.fill('07:20')
  await expect(rows).toHaveText([/Supplier feeds/])
  await expect(page).toHaveURL('/schedule?q=07%3A20')
  const faded = strip(page).locator('[data-faded="false"]')
  await expect(faded).toHaveCount(1)
  await expect(faded).toContainText('07:00')
  await search.fill('nothing like it')
  await expect(page.getByRole('heading', { name: 'No entry matches this search.' })).toBeVisible()
  await search.fill('')
  const paused = page.getByRole('button', { name: 'Paused only (1)' })
  await paused.click()
  await expect(paused).toHaveAttribute('aria-pressed', 'true')
  await expect(rows).toHaveText([/Stock levels/])
})

test('days with a clock change are marked: a skipped hour and a repeated hour', async ({ page }, {
  testId,
}) => {
  await signIn(page)
  const type = await addType(page, `Clock ${testId}`)
  const task = await addTask(page, type, `Clock ${testId}`, [['SKU']])
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { scheduled_times: ['02:30'] })
  await page.goto(`/schedule?from=${SPRING}`)
  const notice = page.getByRole('region', { name: 'Clock change' })
  await expect(notice).toContainText('On Sunday, March 13, 2050 the clock goes from 02:00 to 03:00.')
  await expect(notice).toContainText('02:30 does not exist on that day: runs start at 03:00.')
  await expect(strip(page).getByRole('button')).toHaveCount(23)
  await hour(page, /March 13, 2050, 03:00/).click()
  await expect(page.getByRole('region', { name: /March 13, 2050, 03:00/ })).toContainText(`Clock ${testId}`)
  await page.goto(`/schedule?view=week&from=${SPRING}`)
  await expect(page.getByRole('columnheader', { name: 'Sunday, March 13, 2050' })).toContainText('23 hours')
  await expect(page.getByRole('cell', { name: 'This hour does not exist on this day' })).toHaveCount(1)
  await page.goto(`/schedule?from=${AUTUMN}`)
  await expect(notice).toContainText('the clock goes back from 02:00 to 01:00')
  await expect(strip(page).getByRole('button')).toHaveCount(25)
  await expect(hour(page, /01:00 again/)).toBeVisible()
  await send(page, 'DELETE', `/api/sync_tasks/${task.id}`)
})

test('an entry is paused and resumed: a task stays active, a Run All keeps its times', async ({ page }, {
  testId,
}) => {
  await signIn(page)
  const type = await addType(page, `Pause ${testId}`)
  const name = `Pause ${testId}`
  const task = await addTask(page, type, name, [['SKU']])
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { scheduled_times: ['04:00'] })
  await send(page, 'POST', '/api/sync_tasks/schedule_run_all', { scheduled_times: ['06:15'] })
  const read = () => send(page, 'GET', `/api/sync_tasks/${task.id}`)

  await page.goto(`/schedule?q=${encodeURIComponent(testId)}`)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('04:00 EST')
  await row.getByRole('button', { name: `Pause ${name}` }).click()
  await expect(page.getByText(`${name} (Data) does not run on schedule`)).toBeVisible()
  await expect(row).toContainText('Paused')
  expect(await read()).toMatchObject({ is_active: true, is_schedule_paused: true })
  await row.getByRole('button', { name: `Resume ${name}` }).click()
  await expect(page.getByText(`${name} (Data) runs on schedule again`)).toBeVisible()
  expect(await read()).toMatchObject({ is_active: true, is_schedule_paused: false })
  await send(page, 'POST', `/api/sync_tasks/${task.id}/toggle_active`, { is_active: false })
  await page.reload()
  await expect(row).toContainText('Task is inactive')
  await expect(row.getByRole('button')).toHaveCount(0)

  await page.goto('/schedule?q=run+all')
  await page.getByRole('button', { name: 'Pause Run All of sync tasks' }).click()
  await expect(page.getByText('Run All of sync tasks does not run on schedule')).toBeVisible()
  await page.goto('/settings')
  const card = page.getByRole('region', { name: 'Run All: sync tasks' })
  await expect(card).toContainText('Paused: nothing is due at these times.')
  await card.getByRole('button', { name: 'Resume' }).click()
  await expect(card.getByRole('button', { name: 'Pause' })).toBeVisible()
  expect(await send(page, 'GET', '/api/sync_tasks/schedule_run_all')).toMatchObject({
    scheduled_times: ['06:15'],
    is_paused: false,
  })
  await send(page, 'POST', '/api/sync_tasks/schedule_run_all', { scheduled_times: [] })
  await send(page, 'DELETE', `/api/sync_tasks/${task.id}`)
})

test('later days are reached and left by buttons and by date; views and days are in the URL', async ({
  page,
}) => {
  await openMocked(page, '/schedule')
  await expect(page.getByRole('button', { name: 'Previous day' })).toBeDisabled()
  await page.getByRole('button', { name: 'Next day' }).click()
  await expect(page).toHaveURL('/schedule?from=2050-01-11')
  await page.getByLabel('First day').fill('2050-03-13')
  await expect(page).toHaveURL('/schedule?from=2050-03-13')
  await page.getByRole('tab', { name: 'Week' }).click()
  await expect(page).toHaveURL('/schedule?view=week&from=2050-03-13')
  await page.getByRole('button', { name: 'Today' }).click()
  await expect(page).toHaveURL('/schedule?view=week')
  await page.getByRole('tab', { name: 'Table' }).click()
  await expect(page).toHaveURL('/schedule?view=table')
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Week' })).toHaveAttribute('aria-selected', 'true')
})

test('ten thousand entries are shown in parts on request, also within an hour', async ({ page }) => {
  await openMocked(page, '/schedule?hour=2050-01-10T12:00:00.000Z', calendarReply({ tasks: 10_000 }))
  await expect(page.getByRole('table', { name: 'Entries' }).locator('tbody').getByRole('row')).toHaveCount(
    200,
  )
  await expect(page.getByRole('button', { name: 'Show more, 9,983 left' })).toBeVisible()
  await page.getByRole('searchbox').fill('run sync task 10009')
  await expect(page.getByRole('table', { name: 'Entries' }).locator('tbody').getByRole('row')).toHaveText([
    /Products 9999/,
  ])
})

test('nothing scheduled and a failed load have their words, and a load is tried again', async ({ page }) => {
  await signIn(page)
  await page.route(CALENDAR, (route) => route.fulfill({ json: { ...calendarReply(), entries: [] } }))
  await page.goto('/schedule')
  await expect(page.getByText('No scheduled tasks found.')).toBeVisible()
  await page.unroute(CALENDAR)
  await page.route(CALENDAR, (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Failed to fetch scheduled tasks.')
  await page.unroute(CALENDAR)
  await page.route(CALENDAR, (route) => route.fulfill({ json: calendarReply() }))
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await expect(strip(page)).toBeVisible()
})
