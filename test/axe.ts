import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'
import { z } from 'zod'

const Findings = z.array(z.string())

/**
 * What axe finds on a page as it is: a line for each rule, with where it is broken. The script stays with the document, so that
 * a second look at it costs a fraction of what a new one would. `exclude` are selectors of what stays out.
 */
export async function axeFindings(
  page: Page,
  options: RunOptions,
  exclude: string[] = [],
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // Style sheets are left alone: only an experimental rule would ask for them, and taking them apart is most of what a look costs.
  const preload = { assets: ['media'] }
  const run = JSON.stringify([{ exclude }, { ...options, preload, resultTypes: ['violations'] }])
  const look = `axe.run(...${run}).then(({ violations }) => violations.map(
    ({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`
  // A message leaves when its time has come, also in the middle of a look: what is found then is no finding.
  for (;;) {
    await settle(page)
    const found = Findings.parse(await page.evaluate(look))
    if (found.length === 0 || (await stayedSettled(page))) return found
  }
}

declare global {
  interface Window {
    /** Whether something has begun to fade or to move since the page was settled. */
    unsettled?: boolean
  }
}

/** Waits for what a new size draws, and for what is still fading: it has the colours of neither state. What pulses for ever has no end to wait for. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    if (window.unsettled === undefined)
      for (const begin of ['transitionrun', 'animationstart'])
        addEventListener(
          begin,
          () => {
            window.unsettled = true
          },
          { capture: true },
        )
    const ending = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
        )
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    // What ends may begin another one, as what is hidden moves those beside it.
    for (let left = ending(); left.length > 0; left = ending())
      await Promise.all(left.map(({ finished }) => finished.catch(() => null)))
    window.unsettled = false
  })
}

const stayedSettled = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    // What began in the last moment is heard of with the next frame.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    return window.unsettled === false
  })
