import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { axeFindings } from '../fixtures/axe.ts'
import { expect } from './app-test.ts'

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** A folder where a picture of every look is kept, for those who want to see what axe sees; none without it. */
const pictures = process.env.PICTURES

/**
 * Fails where axe finds anything on the page as it is, light and dark, on a desk and on a phone, or where a phone has to scroll
 * sideways; `screen` names it in the failure. The scheme changes colours and nothing else: the dark one is asked for its
 * contrasts only. The size of what is pressed is asked for, too, which axe leaves out by itself. Ends as it began, on a desk
 * in light.
 */
export async function findsNothing(page: Page, screen: string): Promise<void> {
  const found = async (look: string, contrast_only: boolean) => {
    const options = contrast_only
      ? { runOnly: ['color-contrast'] }
      : { rules: { 'target-size': { enabled: true } } }
    expect.soft(await axeFindings(page, options), `${screen}, ${look}`).toEqual([])
    if (pictures) {
      const name = `${new URL(page.url()).pathname} ${screen}, ${look}.png`.replaceAll('/', '_')
      await page.screenshot({ path: join(pictures, name) })
    }
  }
  await found('light', false)
  await dress(page, 'dark')
  await found('dark', true)
  await page.setViewportSize(phone)
  await found('dark, phone', true)
  await dress(page, 'light')
  await found('light, phone', false)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(width, `${screen}: width on a phone`).toBe(phone.width)
  await page.setViewportSize(desk)
}

async function dress(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
}
