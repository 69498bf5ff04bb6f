import type { Locator, Page } from '@playwright/test'
import { aSpreadsheetId } from '../fixtures/factories.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, showTask, signIn } from './as-ada.ts'
import { brokenGoogle, slowGoogle } from './google-sheets.ts'

test.beforeEach(async ({ page }) => signIn(page))
test.afterEach(async () => {
  await slowGoogle(0)
  await brokenGoogle(0)
})

/** Counts the page's requests for a path from now on. */
function countRequests(page: Page, path: RegExp): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && path.test(new URL(request.url()).pathname)) count += 1
  })
  return () => count
}

const list = /^\/api\/sync_tasks$/

test('a running run counts its seconds, and a queued one shows why it waits and its position, both live', async ({
  page,
}, { testId }) => {
  const type = await addType(page, `Busy ${testId}`)
  const names = [`First ${testId}`, `Second ${testId}`, `Third ${testId}`]
  for (const name of names) await addTask(page, type, name, [['SKU'], ['007']])
  await page.goto(`/sync_tasks?q=${testId}`)
  await slowGoogle(3_000)
  await page.getByRole('button', { name: `Run Group Busy ${testId}` }).click()

  const row = (index: number) => page.getByRole('article', { name: names[index] })
  await expect(row(2)).toContainText(`Busy ${testId} is busy (1 of 1), position 2 in the queue`)
  await expect(row(1)).toContainText('position 1 in the queue')
  await expect(row(0).locator('time + span')).toHaveText(/^\d/)
  await threeSecondsInTurn(row(0))
  await page.getByRole('button', { name: `Stop ${names[0]}` }).click()
  await expect(row(2)).toContainText('position 1 in the queue')
  await slowGoogle(0)
  await expect(row(2)).toContainText('Success')
})

/** Resolves when a row has shown three consecutive seconds. Observed inside the page: polling from outside may miss one. */
const threeSecondsInTurn = (row: Locator) =>
  row.evaluate((article) => {
    const shown: number[] = []
    return new Promise<void>((resolve) => {
      new MutationObserver(() => {
        const second = Number.parseInt(article.querySelector('time + span')?.textContent ?? '', 10)
        if (second !== shown.at(-1)) shown.push(second)
        const [one = 0, two = 0, three = 0] = shown.slice(-3)
        if (two === one + 1 && three === two + 1) resolve()
      }).observe(article, { subtree: true, childList: true, characterData: true })
    })
  })

test('a run shows that Google failed and when it retries', async ({ page }, { testId }) => {
  const name = `Broken ${testId}`
  const task = await addTask(page, await addType(page, name, { max_retries: 0 }), name, [['SKU'], ['007']])
  const row = await showTask(page, name)
  await brokenGoogle(10)
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
  await expect(row).toContainText(/Google could not answer \(500\), trying again in \d+ s/)
  await send(page, 'POST', `/api/sync_tasks/stop/${task.id}`)
  await expect(row).toContainText('Stopped')
})

test('a warning is marked next to the status; once acknowledged, later runs are a Success with a mark', async ({
  page,
}, { testId }) => {
  const name = `Warned ${testId}`
  const task = await addTask(page, await addType(page, name), name, [['SKU'], ['#N/A']])
  const row = await showTask(page, name)
  const run = async (status: string) => {
    await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
    await expect(row.getByText('Queued').or(row.getByText('In Progress'))).toBeHidden()
    await expect(row.getByText(status, { exact: true })).toBeVisible()
  }
  await run('Warning')
  await expect(
    row.getByRole('img', { name: '1 cell (A2) with a spreadsheet error such as #N/A, copied as text.' }),
  ).toBeVisible()
  await row.getByRole('button', { name: `More actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Acknowledge' }).click()
  const mark = row.getByRole('img', { name: /^Acknowledged by ada@example.com, .*1 cell \(A2\)/ })
  await expect(mark).toBeVisible()
  await run('Success')
  await expect(mark).toBeVisible()

  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByRole('button', { name: 'Acknowledge' })).toBeVisible()
})

test('tasks that fail before their spreadsheets have names do not reload the list', async ({ page }, {
  testId,
}) => {
  const type = await addType(page, `Nameless ${testId}`, { max_retries: 0, allowed_concurrent_tasks: 5 })
  for (let n = 0; n < 8; n += 1)
    await send(page, 'POST', '/api/sync_tasks', {
      sync_task_type_id: type,
      name: `Nameless ${testId} ${n}`,
      source_ss_id: aSpreadsheetId(),
      target_ss_id: aSpreadsheetId(),
      target_sheet_name: 'Data',
    })
  await page.goto(`/sync_tasks?q=Nameless ${testId}`)
  await expect(page.getByRole('article')).toHaveCount(8)
  await page.waitForLoadState('networkidle').catch(() => {})
  const asked = countRequests(page, list)
  await page.getByRole('button', { name: `Run Group Nameless ${testId}` }).click()
  await expect(page.getByRole('article').getByText('Failed', { exact: true })).toHaveCount(8)
  expect(asked()).toBe(0)
})

test('without the event stream, a task that ends is read again, with one request per interval', async ({
  page,
}, { testId }) => {
  const name = `Deaf ${testId}`
  const task = await addTask(page, await addType(page, name), name, [['SKU'], ['007']])
  await page.route('**/api/events', (route) => route.abort())
  await slowGoogle(2_000)
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
  await page.clock.install()
  const row = await showTask(page, name)
  await expect(row.getByText('In Progress').or(row.getByText('Queued'))).toBeVisible()
  // From here on an interval passes only when this test says so, however slow the machine is.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
  await slowGoogle(0)
  await expect
    .poll(async () => JSON.stringify(await send(page, 'GET', `/api/sync_tasks/${task.id}`)))
    .toContain('"task_status":"Success"')
  const statuses = countRequests(page, /\/status_all$/)
  const lists = countRequests(page, list)
  await page.clock.fastForward(12_500)
  // Replies are shown by timers of 0 ms, which need the page's clock, too.
  await expect(async () => {
    await page.clock.runFor(1)
    await expect(row.getByText('Success', { exact: true })).toBeVisible({ timeout: 100 })
    await expect(row).toContainText('The target holds 1 row', { timeout: 100 })
  }).toPass()
  expect(statuses()).toBe(1)
  expect(lists()).toBe(0)
})
