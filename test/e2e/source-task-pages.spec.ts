import type { Page } from '@playwright/test'
import { addSourceTask, addSourceType } from './add-source-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'
import { clearCells, makeSpreadsheet } from './google-sheets.ts'

const rowOf = (page: Page, name: string) => page.getByRole('article', { name })

test.beforeEach(async ({ page }) => signIn(page))

test('View Data pages through the first 50 columns; rows that need approval are discarded or accepted; a log is cleared', async ({
  page,
}, { testId }) => {
  const name = `Paged ${testId}`
  const header = ['SKU', ...Array.from({ length: 59 }, (_, column) => `Field ${column + 2}`)]
  const rows = Array.from({ length: 120 }, (_, row) => header.map((_, column) => `${row + 1}-${column + 1}`))
  const spreadsheet_id = await makeSpreadsheet(`${name} sheet`, [header, ...rows])
  const source = { source_type: 'sheet', spreadsheet_id, sheet_name: 'Data' }
  const id = await addSourceTask(page, null, name, source)
  await page.goto(`/source_tasks?q=${id}`)
  const row = rowOf(page, name)
  const run = row.getByRole('button', { name: `Run ${name}` })
  await run.click()
  await row.getByRole('button', { name: `View Data of ${name}` }).click()
  const data = page.getByRole('dialog', { name: `View Data Copy: ${name}` })
  await expect(data.getByRole('status')).toHaveText('Rows 1–100 of 120')
  await expect(data.getByRole('columnheader')).toHaveCount(51)
  await expect(data).toContainText('These are the first 50 columns')
  await data.getByRole('button', { name: 'Next' }).click()
  await expect(data.getByRole('status')).toHaveText('Rows 101–120 of 120')
  await expect(data.getByRole('cell', { name: '120-1', exact: true })).toBeVisible()
  await expect(data.getByRole('button', { name: 'Next' })).toBeDisabled()
  await data.getByRole('combobox', { name: 'Rows a page' }).selectOption('50 rows')
  await expect(data.getByRole('status')).toHaveText('Rows 1–50 of 120')
  await page.keyboard.press('Escape')

  await clearCells(spreadsheet_id, 'Data!A12:BH121')
  await run.click()
  const waits = row.getByRole('button', { name: `Needs your approval, ${name}` })
  await waits.click()
  const dialog = page.getByRole('dialog', { name: `Needs your approval: ${name}` })
  await expect(dialog).toContainText('has 10 rows, fewer than 50% of the 120 current ones.')
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(waits).toHaveCount(0)
  await run.click()
  await waits.waitFor()
  await row.getByRole('link', { name, exact: true }).click()
  const notice = page.getByRole('region', { name: 'Needs your approval' })
  await notice.getByRole('button', { name: 'Accept' }).click()
  await expect(notice).toHaveCount(0)
  await expect(page.getByRole('link', { name: '10 rows' })).toBeVisible()

  await page.goto(`/source_tasks/${id}/logs`)
  await expect(page.getByText('fewer than 50% of the 120').first()).toBeVisible()
  await page.getByRole('button', { name: 'Clear Logs' }).click()
  await page
    .getByRole('dialog', { name: 'Confirm Clear Logs' })
    .getByRole('button', { name: 'Clear Logs' })
    .click()
  await expect(page.getByText('Logs cleared successfully')).toBeVisible()
  await expect(page.getByText('No logs found.')).toBeVisible()
})

test('with auto-refresh the list is read every 12 s, the scheduler every 15 s and a log every 5 s; all tasks have bulk actions and are reordered by pointer', async ({
  page,
}, { testId }) => {
  // advances the page's clock by two minutes in steps of a second
  test.slow()
  const type = await addSourceType(page, `Dragged ${testId}`)
  const names = ['one', 'two', 'three'].map((name) => `${name} ${testId}`)
  const ids: number[] = []
  for (const name of names) ids.push(await addSourceTask(page, type, name))
  await page.clock.install()
  let second = 0
  let unanswered = 0
  const asked: { path: string; second: number }[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (!/^\/api\/(source_tasks|source_schedule\/status|source_tasks\/\d+\/logs)$/.test(path)) return
    asked.push({ path, second })
    unanswered += 1
    void request.response().finally(() => {
      unanswered -= 1
    })
  })
  /** Advances the page's clock by a minute; returns the seconds between requests. An interval starts when a reply arrives. */
  const secondsBetween = async (path: string) => {
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
    asked.length = 0
    for (second = 0; second < 60; second += 1) {
      await expect.poll(() => unanswered).toBe(0)
      await page.clock.runFor(1000)
      // All earlier requests of the page are recorded when this one is answered.
      await page.evaluate(async () => (await fetch('/favicon.svg')).status)
    }
    await page.clock.resume()
    const times = asked.filter((one) => one.path === path).map((one) => one.second)
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    return { times: times.length, shortest: Math.min(...gaps), longest: Math.max(...gaps) }
  }
  const isEvery = async (path: string, seconds: number) => {
    const { times, shortest, longest } = await secondsBetween(path)
    expect(times).toBeGreaterThan(2)
    expect(shortest).toBeGreaterThanOrEqual(seconds)
    expect(longest).toBeLessThanOrEqual(seconds + 1)
  }
  await page.goto('/source_tasks')
  await expect(page.getByRole('region', { name: 'All tasks' })).toBeVisible()
  await isEvery('/api/source_schedule/status', 15)
  expect(asked.filter(({ path }) => path === '/api/source_tasks')).toEqual([])
  await page.getByRole('checkbox', { name: 'Auto-refresh' }).check()
  await isEvery('/api/source_tasks', 12)
  await page.getByRole('checkbox', { name: 'Auto-refresh' }).uncheck()

  const foot = page.getByRole('region', { name: 'All tasks' })
  await foot.getByRole('button', { name: 'Stop All' }).click()
  await expect(page.getByText('No running or queued tasks to stop')).toBeVisible()
  await foot.getByRole('button', { name: 'Reset All Running Status' }).click()
  await expect(page.getByText('No tasks needed to be reset.')).toBeVisible()
  await foot.getByRole('button', { name: 'Toggle All Active/Inactive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('switch', { name: 'Reorder mode' }).click()
  const table = page.getByRole('table', { name: `Order of Dragged ${testId}` })
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })
  await handle(names[2] ?? '').hover()
  const target = await handle(names[0] ?? '').boundingBox()
  await page.mouse.down()
  await page.mouse.move((target?.x ?? 0) + 8, (target?.y ?? 0) + 8, { steps: 8 })
  await page.clock.runFor(1000)
  await page.mouse.up()
  await expect(page.getByText('Reordered 3 tasks')).toBeVisible()
  await expect(table.getByRole('rowheader')).toHaveText([/three/, /one/, /two/])

  await page.goto(`/source_tasks/${ids[0]}/logs`)
  await expect(page.getByRole('checkbox', { name: 'Auto-Refresh' })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Auto-Refresh' }).check()
  await isEvery(`/api/source_tasks/${ids[0]}/logs`, 5)
})
