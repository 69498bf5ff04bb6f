// What pressing Run Group costs the one who presses it: a type of 900 tasks, a worker that never comes. Aims: an answer and Queued
// rows within a second, no task of the page's own longer than 100 ms, then and while the list is scrolled.
//   node bench/web-group.ts [tasks]
import { loadavg } from 'node:os'
import { chromium, type Page } from '@playwright/test'
import { sql } from 'kysely'
import { z } from 'zod'
import { buildWeb } from '../scripts/web-build.ts'
import { createDb } from '../src/server/platform/db.ts'
import { chromiumOptions } from '../test/e2e/chromium.ts'
import { startApp } from './fleet-app.ts'
import { scrolling } from './web-page.ts'
import { addTasks } from './web-tasks.ts'

const TASKS = Number(process.argv[2] ?? 900)
const ROUNDS = 3

// Runs in the page: milliseconds from the press to the frame in which the first row says Queued.
const noteQueued = `
  window.queued_after = undefined
  let pressed
  addEventListener('click', (event) => { pressed = event.timeStamp }, { capture: true, once: true })
  const seen = new MutationObserver(() => {
    if (pressed === undefined || !/Queued/.test(document.querySelector('article')?.textContent ?? '')) return
    seen.disconnect()
    requestAnimationFrame(() => { window.queued_after = performance.now() - pressed })
  })
  seen.observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true })`

const noteLongTasks = `
  window.long_tasks = []
  new PerformanceObserver((list) => window.long_tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' })`

await buildWeb()
const app = await startApp(0)
const db = createDb({ url: app.database_url })
const browser = await chromium.launch(await chromiumOptions())
try {
  console.log(`load of the machine before: ${loadavg()[0]?.toFixed(1)}`)
  await addTasks(db, 1, TASKS)
  await sql`update tasks set task_type_id = (select min(id) from task_types where name like 'Type %')`.execute(
    db,
  )
  const page = await browser.newPage({ bypassCSP: true, viewport: { width: 1440, height: 900 } })
  await page.goto(`${app.root}/auth/login?login_hint=ada@example.com`)
  await page.goto(`${app.root}/sync_tasks`)
  await page.getByText(`${TASKS} tasks in`).waitFor()
  await page.evaluate(noteLongTasks)
  for (let round = 0; round < ROUNDS; round += 1) {
    const { answered, queued } = await pressRunGroup(page)
    report(`round ${round + 1}: answered after, ms`, answered, 1000)
    report(`round ${round + 1}: rows are Queued after, ms`, queued, 1000)
    report(`round ${round + 1}: longest task since, ms`, await longest(page), 100)
    report(`round ${round + 1}: frames while it is scrolled, p95 ms`, await scrolling(page), 50)
    report(`round ${round + 1}: longest task meanwhile, ms`, await longest(page), 100)
    await page.evaluate('scrollTo(0, 0)')
    await page.getByRole('button', { name: /^Stop Group/ }).click()
    await page.getByRole('article').getByText('Stopped', { exact: true }).first().waitFor()
    await longest(page)
  }
} finally {
  await browser.close()
  await db.destroy()
  await app.stop()
}

async function pressRunGroup(page: Page): Promise<{ answered: number; queued: number }> {
  await page.evaluate(noteQueued)
  const reply = page.waitForResponse(/run_group/)
  const button = page.getByRole('button', { name: /^Run Group/ })
  await button.click()
  const timing = (await reply).request().timing()
  await page.waitForFunction('window.queued_after !== undefined')
  const queued = z.number().parse(await page.evaluate('window.queued_after'))
  return { answered: timing.responseEnd, queued }
}

/** The longest task since this was asked last; 0: none over 50 ms. */
async function longest(page: Page): Promise<number> {
  await page.waitForTimeout(2_000)
  return z.number().parse(await page.evaluate('Math.max(0, ...window.long_tasks.splice(0))'))
}

function report(name: string, figure: number, limit: number): void {
  console.log(`${name}: ${figure.toFixed(0)} (limit ${limit})${figure > limit ? ' MISSED' : ''}`)
}
