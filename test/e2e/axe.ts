import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
import { axeFindings } from '../fixtures/axe.ts'
import { expect } from './app-test.ts'

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** A folder for a screenshot of every state in its four looks; without it, none is taken. */
const pictures = process.env.PICTURES

/**
 * Fails where axe finds anything on the page as it is, on a desk and on a phone, or where a phone has to scroll sideways; `screen`
 * names it in the failure. The dark scheme changes only colours, which are the same at each size, so it is checked for contrast
 * on a desk alone. Target sizes are checked as well, which axe leaves out by default. Ends as it began, on a desk in light.
 */
export async function findsNothing(page: Page, screen: string): Promise<void> {
  const found = async (look: string, options: RunOptions) => {
    expect.soft(await axeFindings(page, options), `${screen}, ${look}`).toEqual([])
    await takePicture(page, `${screen}, ${look}`)
  }
  const all = { rules: { 'target-size': { enabled: true } } }
  await found('light', all)
  await dress(page, 'dark')
  await found('dark', { runOnly: ['color-contrast'] })
  if (pictures) {
    await page.setViewportSize(phone)
    await takePicture(page, `${screen}, dark, phone`)
  }
  await dress(page, 'light')
  await page.setViewportSize(phone)
  await found('light, phone', all)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(width, `${screen}: width on a phone`).toBe(phone.width)
  await page.setViewportSize(desk)
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (!pictures) return
  const file = `${new URL(page.url()).pathname} ${name}.png`.replaceAll('/', '_')
  await page.screenshot({ path: join(pictures, file) })
}

async function dress(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
}
