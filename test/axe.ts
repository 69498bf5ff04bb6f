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
  await settle(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // Style sheets are left alone: only an experimental rule would ask for them, and taking them apart is most of what a look costs.
  const preload = { assets: ['media'] }
  const run = JSON.stringify([{ exclude }, { ...options, preload, resultTypes: ['violations'] }])
  return Findings.parse(
    await page.evaluate(`axe.run(...${run}).then(({ violations }) => violations.map(
      ({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`),
  )
}

/** Waits for what a new size draws, and for what is still fading: it has the colours of neither state. What pulses for ever has no end to wait for. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.all(ending.map(({ finished }) => finished.catch(() => null)))
  })
}
