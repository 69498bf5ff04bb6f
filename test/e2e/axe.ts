import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './app-test.ts'

/** Fails where axe finds anything on the page as it is; `screen` names it in the failure. */
export async function findsNothing(page: Page, screen: string): Promise<void> {
  // what is still fading in has the colours of neither state; what pulses for ever has no end to wait for
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    return Promise.all(ending.map(({ finished }) => finished.catch(() => null)))
  })
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`)
  expect(found, screen).toEqual([])
}
