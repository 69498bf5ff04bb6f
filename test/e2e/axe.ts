import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './app-test.ts'

type RunOptions = Parameters<AxeBuilder['options']>[0]

/**
 * Fails where axe finds anything on the page as it is, in light and in dark; `screen` names it in the failure. Ends in light. The
 * scheme changes colours and nothing else, so that the dark one is asked for its contrasts only: that halves the time.
 */
export async function findsNothing(page: Page, screen: string): Promise<void> {
  expect(await findings(page, 'light', {}), `${screen}, light`).toEqual([])
  expect(await findings(page, 'dark', { runOnly: ['color-contrast'] }), `${screen}, dark`).toEqual([])
  await show(page, 'light')
}

async function findings(page: Page, scheme: 'light' | 'dark', options: RunOptions): Promise<string[]> {
  await show(page, scheme)
  const axe = new AxeBuilder({ page }).options({ ...options, resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`)
}

async function show(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
  // what is still fading has the colours of neither state; what pulses for ever has no end to wait for
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    return Promise.all(ending.map(({ finished }) => finished.catch(() => null)))
  })
}
