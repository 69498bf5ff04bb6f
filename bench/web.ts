// Measures the task list's call, its page with 10,000 tasks in Chromium, and the first visit. Aims: 400 tasks at 0.6 times the rate of a
// bare route; first paint within 1 s, a keystroke in the filter within 50 ms; 260 kB gzip.
//   node bench/web.ts [tasks]
import { loadavg } from 'node:os'
import { chromium } from '@playwright/test'
import { buildWeb } from '../scripts/web-build.ts'
import { createDb } from '../src/server/platform/db.ts'
import { chromiumOptions } from '../test/e2e/chromium.ts'
import { report } from './figures.ts'
import { startApp } from './fleet-app.ts'
import { listAgainstBareRoute } from './web-list.ts'
import { firstVisit, keystrokes, openings, scrolling } from './web-page.ts'
import { addTasks } from './web-tasks.ts'

const TASKS = Number(process.argv[2] ?? 10_000)
const FEW = 400

await buildWeb()
const app = await startApp(0)
const db = createDb({ url: app.database_url })
const browser = await chromium.launch(await chromiumOptions())
try {
  console.log(`load of the machine before: ${loadavg()[0]?.toFixed(1)}`)
  await addTasks(db, 1, FEW)
  const { list, bare } = await listAgainstBareRoute(app.database_url)
  const ratio = list.per_second / bare.per_second
  console.log(`bare route: ${bare.per_second.toFixed(0)}/s, p99 ${bare.p99_ms.toFixed(0)} ms`)
  console.log(`list of ${FEW}: ${list.per_second.toFixed(0)}/s, p99 ${list.p99_ms.toFixed(0)} ms`)
  report({ what: 'list of 400, answers a second for each of a bare route', value: ratio, floor: 0.6 })

  const visitor = await browser.newPage()
  report({ what: 'first load of /, kB gzip', value: await firstVisit(visitor, app.root), limit: 260 })
  await visitor.goto(`${app.root}/auth/login?login_hint=ada@example.com`)
  await visitor.getByRole('article').first().waitFor()
  const storageState = await visitor.context().storageState()
  const listKb = await firstVisit(await fresh(), `${app.root}/sync_tasks`)
  report({ what: 'first load of the list, kB gzip', value: listKb, limit: 260 })

  await addTasks(db, FEW + 1, TASKS)
  const opened = await openings(fresh, `${app.root}/sync_tasks`)
  report({ what: `${TASKS} tasks: first paint, ms`, value: opened.painted, limit: 1000 })
  report({ what: `${TASKS} tasks: first rows, ms`, value: opened.rows, limit: 1000 })
  report({ what: `${TASKS} tasks: all of them, ms`, value: opened.complete })

  const page = await fresh()
  await page.goto(`${app.root}/sync_tasks`)
  const typed = await keystrokes(page)
  report({ what: 'keystroke to the next frame, p95 ms', value: typed.frame, limit: 50 })
  report({ what: 'keystroke to the list that it filters, p95 ms', value: typed.list })
  const scrolled = await scrolling(page)
  report({ what: 'frames while it is scrolled, p95 ms', value: scrolled, limit: 50 })

  async function fresh() {
    const context = await browser.newContext({
      storageState,
      bypassCSP: true,
      viewport: { width: 1440, height: 900 },
    })
    return context.newPage()
  }
} finally {
  await browser.close()
  await db.destroy()
  await app.stop()
}
