import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { openList, showTask, signIn } from './as-ada.ts'
import { slowGoogle } from './google-sheets.ts'

const small = [
  ['SKU', 'Price'],
  ['007', 1.5],
]

test.beforeEach(async ({ page }) => signIn(page))
test.afterEach(async () => {
  await slowGoogle(0)
})

test('without an event stream, the status is polled every 12 s and the list every 60 s, only while a task is live', async ({
  page,
}) => {
  const task = await addTask(page, await addType(page, 'Polled'), 'Polled task', small)
  await page.clock.install()
  await page.route('**/api/events', (route) => route.fulfill({ status: 503, json: {} }))
  const row = await showTask(page, task.name)
  await slowGoogle(800)
  await row.getByRole('button', { name: 'Run Polled task' }).click()
  // A queued row may contain the text twice: as its status and as the reason for waiting.
  await expect(row.getByText(/Queued|In Progress/).first()).toBeVisible()
  const asked = { status: 0, list: 0 }
  page.on('request', (request) => {
    if (request.url().includes('/api/sync_tasks/status_all')) asked.status += 1
    if (request.url().includes('/api/sync_tasks?')) asked.list += 1
  })
  await slowGoogle(0)
  let rounds = 0
  await expect
    .poll(async () => {
      rounds += 1
      await page.clock.runFor(12_000)
      return row.getByText('Success', { exact: true }).count()
    })
    .toBe(1)
  expect(asked.status).toBeGreaterThan(0)
  expect(asked.list).toBeLessThanOrEqual(Math.ceil(rounds / 5))
  await page.waitForLoadState('networkidle')
  const then = { ...asked }
  for (let minute = 0; minute < 3; minute += 1) {
    await page.clock.runFor(60_000)
    // all earlier requests of the page are recorded when this one is answered
    await page.evaluate(async () => (await fetch('/favicon.svg')).status)
  }
  expect(asked).toEqual(then)
})

test('a reply older than an event does not restore the old state', async ({ page }, { testId }) => {
  const task = await addTask(page, await addType(page, `Overtaken ${testId}`), 'Overtaken', small)
  const row = await showTask(page, task.name)
  let send_on = () => {}
  const held = new Promise<void>((resolve) => {
    send_on = resolve
  })
  const arrived = page.waitForResponse(
    (reply) => reply.request().method() === 'GET' && reply.url().endsWith(`/api/sync_tasks/${task.id}`),
  )
  await page.route(`**/api/sync_tasks/${task.id}`, async (route) => {
    const response = await route.fetch()
    await held
    await route.fulfill({ response, json: { ...(await response.json()), task_status: 'Queued' } })
  })
  await row.getByRole('button', { name: 'Run Overtaken' }).click()
  await expect(row.getByText('Success', { exact: true })).toBeVisible()
  send_on()
  await (await arrived).finished()
  // the reply is rendered after two animation frames
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await expect(row.getByText('Success', { exact: true })).toBeVisible()
})

test('a hidden page closes its event stream, and opens it again when it is visible', async ({ page }) => {
  const show = (state: 'visible' | 'hidden') =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await openList(page)
  const closed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/events'))
  await show('hidden')
  await closed
  const opened = page.waitForRequest('**/api/events')
  await show('visible')
  await opened
})
