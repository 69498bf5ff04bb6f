import type { Page } from '@playwright/test'
import { z } from 'zod'

const VISITS = 5
const KEYSTROKES = 30
const SCROLLS = 120

/** Compressed size of a first visit in kB, without data and headers. */
export async function firstVisit(page: Page, url: string): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const wanted = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (['Document', 'Script', 'Stylesheet', 'Font'].includes(type)) wanted.add(requestId)
  })
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    if (wanted.has(requestId)) bytes += encodedDataLength
  })
  await session.send('Network.enable')
  await page.goto(url, { waitUntil: 'networkidle' })
  await session.detach()
  return bytes / 1000
}

const Opening = z.object({ painted: z.number(), rows: z.number(), complete: z.number() })
type Opening = z.infer<typeof Opening>

/** Median milliseconds from the start of a visit with an empty cache to the first paint, the first rows, and all rows. */
export async function openings(fresh: () => Promise<Page>, url: string): Promise<Opening> {
  const all: Opening[] = []
  for (let visit = 0; visit < VISITS; visit += 1) {
    const page = await fresh()
    await page.addInitScript(noteRows)
    await page.goto(url)
    await page.waitForFunction('window.complete !== undefined', undefined, { timeout: 120_000 })
    const seen = await page.evaluate(
      `({ painted: performance.getEntriesByName('first-contentful-paint')[0].startTime, rows: window.rows, complete: window.complete })`,
    )
    all.push(Opening.parse(seen))
    await page.context().close()
  }
  const median = (of: (one: Opening) => number) => percentile(all.map(of), 0.5)
  return {
    painted: median(({ painted }) => painted),
    rows: median(({ rows }) => rows),
    complete: median(({ complete }) => complete),
  }
}

// Runs in the page: records when the first rows and the total count have been painted.
const noteRows = `
  const painted = (name) => requestAnimationFrame(() => setTimeout(() => { window[name] ??= performance.now() }))
  new MutationObserver(() => {
    if (window.rows === undefined && document.querySelector('article')) painted('rows')
    if (window.complete === undefined && /[1-9][0-9,]+ tasks in/.test(document.querySelector('main')?.textContent ?? '')) painted('complete')
  }).observe(document, { childList: true, subtree: true, characterData: true })`

/** Types into the search; 95th percentiles in milliseconds from the input event to the next frame and to the last change of the list. */
export async function keystrokes(page: Page): Promise<{ frame: number; list: number }> {
  const search = page.getByRole('searchbox', { name: 'Search tasks' })
  await search.focus()
  await page.evaluate(noteKeystrokes)
  const keys = [...'products 1234', ...Array(4).fill('Backspace'), ...'987', ...Array(12).fill('Backspace')]
  for (const key of keys.slice(0, KEYSTROKES)) {
    await page.keyboard.press(key === ' ' ? 'Space' : key)
    // A user's typing speed. Work that the keystroke started has ended by then.
    await page.waitForTimeout(400)
  }
  const { frames, lists } = z
    .object({ frames: z.array(z.number()), lists: z.array(z.number()) })
    .parse(await page.evaluate('({ frames: window.frames_after, lists: window.lists_after })'))
  if (frames.length !== keys.slice(0, KEYSTROKES).length) throw new Error('A keystroke was not heard')
  return { frame: percentile(frames, 0.95), list: percentile(lists, 0.95) }
}

const noteKeystrokes = `
  window.frames_after = []
  window.lists_after = []
  let typed = 0
  const framed = (act) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = act; port2.postMessage(0) })
  addEventListener('input', (event) => {
    typed = event.timeStamp
    const index = window.frames_after.push(0) - 1
    window.lists_after.push(0)
    framed(() => { window.frames_after[index] = performance.now() - typed })
  }, true)
  new MutationObserver(() => {
    const index = window.lists_after.length - 1
    framed(() => { if (index >= 0 && performance.now() - typed < 390) window.lists_after[index] = performance.now() - typed })
  }).observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true })`

/** Scrolls through the page, 160 pixels per frame; returns the 95th percentile of the time between frames in milliseconds. */
export async function scrolling(page: Page): Promise<number> {
  await page.getByRole('searchbox', { name: 'Search tasks' }).fill('')
  await page.getByRole('article').nth(5).waitFor()
  const gaps = await page.evaluate(
    `new Promise((resolve) => {
      const gaps = []
      let last
      const step = (now) => {
        if (last !== undefined) gaps.push(now - last)
        last = now
        if (gaps.length === ${SCROLLS}) return resolve(gaps)
        window.scrollBy(0, 160)
        requestAnimationFrame(step)
      }
      requestAnimationFrame(step)
    })`,
  )
  return percentile(z.array(z.number()).parse(gaps), 0.95)
}

function percentile(figures: number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
