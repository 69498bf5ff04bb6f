import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
import { axeFindings } from '../fixtures/axe.ts'
import { expect } from './app-test.ts'

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** Folder for screenshots of every state; if not set, none are taken. */
const pictures = process.env.PICTURES

/**
 * Fails if axe reports a violation on the current page at desktop or phone size, or if the page scrolls horizontally on a phone.
 * `screen` names the page in the failure. The dark scheme changes only colours, which do not depend on the size, so it is checked
 * for contrast at desktop size only. Target sizes, which axe does not check by default, are included. Restores desktop size and
 * the light scheme at the end.
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
  // Otherwise the header may cover half of a field.
  await page.evaluate(() => window.scrollTo(0, 0))
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
