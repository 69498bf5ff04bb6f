// What the dependency graph costs in Chromium, with 300 types and with 1,000: from the data to the first picture (aim: 500 ms), and
// the frames while it is dragged and zoomed (aim: none over 50 ms), with those of the same plane without a picture beside them, since
// a busy machine makes long ones of both; and what its live states cost the server.
//   node bench/web-graph.ts [types…]
import { loadavg } from 'node:os'
import { chromium, type Page } from '@playwright/test'
import { sql } from 'kysely'
import { z } from 'zod'
import { buildWeb } from '../scripts/web-build.ts'
import { createDb } from '../src/server/platform/db.ts'
import { readTypeStates } from '../src/server/tasks/type-states.ts'
import { chromiumOptions } from '../test/e2e/chromium.ts'
import { cpuTime } from './cpu-time.ts'
import { startApp } from './fleet-app.ts'
import { addTypes } from './web-types.ts'

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [300, 1000]
const ROUNDS = 5
const LONG = 50

// Runs in the page: milliseconds from the end of the answer to the frame that shows the first card.
const notePicture = `
  new MutationObserver((_, observer) => {
    if (!document.querySelector('[data-type]')) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => {
      const [answer] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/graph'))
      window.picture_after = performance.now() - answer.responseEnd
    }))
  }).observe(document, { childList: true, subtree: true })`

const noteFrames = `{
  window.frames = []
  let last
  const frame = (now) => {
    if (last !== undefined) window.frames.push(now - last)
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}`

await buildWeb()
const app = await startApp(0)
const db = createDb({ url: app.database_url })
const browser = await chromium.launch(await chromiumOptions())
try {
  console.log(`load of the machine before: ${loadavg()[0]?.toFixed(1)}`)
  const visitor = await browser.newPage()
  await visitor.goto(`${app.root}/auth/login?login_hint=ada@example.com`)
  await visitor.getByRole('heading', { name: 'Sync Tasks', level: 1 }).waitFor()
  const storageState = await visitor.context().storageState()
  let added = 0
  for (const size of SIZES) {
    await addTypes(db, size - added, added + 1)
    added = size
    const pictures: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await opened(storageState)
      pictures.push(z.number().parse(await page.evaluate('window.picture_after')))
      if (round === ROUNDS - 1) {
        report(`${size} types: picture after its data, median ms`, median(pictures), 500)
        const moved = await movedAbout(page)
        await page.addStyleTag({ content: '.react-flow__viewport > * { display: none }' })
        const empty = await movedAbout(page)
        report(`${size} types: longest frame while dragged and zoomed, ms`, Math.max(...moved.frames), 50)
        report(`${size} types: 95th percentile of its frames, ms`, percentile(moved.frames, 0.95), 50)
        console.log(`${size} types: ${costOf(moved)}; without a picture: ${costOf(empty)}`)
      }
      await page.context().close()
    }
    const types = await db.selectFrom('task_types').select('id').execute()
    const ids = types.map(({ id }) => id)
    report(`${size} types: states of all, median ms`, await timed(() => readTypeStates(db, 'all')), 200)
    report(
      `${size} types: states of ten, median ms`,
      await timed(() => readTypeStates(db, ids.slice(-10))),
      50,
    )
    await sql`update runs set state = 'queued' where id % 3 = 0`.execute(db)
    report(
      `${size} types, ${size} runs queued: states of all, median ms`,
      await timed(() => readTypeStates(db, 'all')),
      400,
    )
    await sql`update runs set state = 'success' where id % 3 = 0`.execute(db)
  }
} finally {
  await browser.close()
  await db.destroy()
  await app.stop()
}

type StorageState = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

async function opened(storageState: StorageState): Promise<Page> {
  const context = await browser.newContext({
    storageState,
    bypassCSP: true,
    viewport: { width: 1440, height: 900 },
  })
  const page = await context.newPage()
  await page.addInitScript(notePicture)
  await page.goto(`${app.root}/sync_task_types`)
  await page.getByRole('button', { name: 'Graph', exact: true }).click()
  await page.waitForFunction('window.picture_after !== undefined', undefined, { timeout: 60_000 })
  return page
}

/** Milliseconds between frames, and processor seconds of all processes. */
type Moved = { frames: number[]; seconds: number }

function costOf({ frames, seconds }: Moved): string {
  const long = frames.filter((ms) => ms > LONG)
  return `${long.length} of ${frames.length} frames over ${LONG} ms, ${seconds.toFixed(1)} s of processor time`
}

/** Drags and zooms as a hand does. */
async function movedAbout(page: Page): Promise<Moved> {
  const picture = page.locator('.react-flow')
  const box = await picture.boundingBox()
  if (!box) throw new Error('There is no picture')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.waitForTimeout(1_000)
  await page.evaluate(noteFrames)
  const before = allSeconds()
  const zoom = async (by: number, times: number) => {
    for (let step = 0; step < times; step += 1) {
      await page.mouse.wheel(0, by)
      await page.waitForTimeout(16)
    }
  }
  const drag = async () => {
    await page.mouse.down()
    for (let step = 0; step < 40; step += 1) await page.mouse.move(x + 6 * step, y + 3 * step)
    await page.mouse.up()
    await page.mouse.move(x, y)
  }
  await drag()
  await zoom(-60, 30)
  await drag()
  await zoom(60, 20)
  await drag()
  const frames = z.array(z.number()).parse(await page.evaluate('window.frames'))
  return { frames, seconds: allSeconds() - before }
}

function allSeconds(): number {
  return [...cpuTime().values()].reduce((sum, seconds) => sum + seconds, 0)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const begin = performance.now()
    await work()
    times.push(performance.now() - begin)
  }
  return median(times)
}

function percentile(figures: number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function median(figures: number[]): number {
  return percentile(figures, 0.5)
}

function report(name: string, figure: number, limit: number): void {
  console.log(`${name}: ${figure.toFixed(0)} (limit ${limit})${figure > limit ? ' MISSED' : ''}`)
}
