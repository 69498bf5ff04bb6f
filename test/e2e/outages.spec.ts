import type { Page } from '@playwright/test'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

const STATUS = '**/api/system_status'
const banner = (page: Page) => page.getByRole('complementary', { name: 'Out of order' })

test.beforeEach(async ({ page }) => signIn(page))

test('the page says which parts are down and why, and stops saying so once they are back', async ({
  page,
}) => {
  const outage = { reason: 'exit code 1', next_start: '2026-01-31T04:00:00.000Z' }
  await page.route(STATUS, (route) =>
    route.fulfill({ json: { outages: [{ part: 'worker', none_left: true, ...outage }] } }),
  )
  await page.goto('/sync_tasks')
  await expect(banner(page)).toHaveText(
    /^No worker is running. Runs wait in the queue until one is back. Last end: exit code 1. Next start: \d\d:00:00.$/,
  )
  await page.unroute(STATUS)
  await expect(banner(page)).toBeHidden({ timeout: 20_000 })
})

test('the page says when Rowferry does not answer, and when its database is away', async ({ page }) => {
  test.slow()
  await page.route(STATUS, (route) => route.abort())
  await page.goto('/sync_tasks')
  await expect(banner(page)).toHaveText('Rowferry does not answer. Trying again every few seconds.')
  await page.unroute(STATUS)
  await page.route(STATUS, (route) => route.fulfill({ status: 503, json: {} }))
  await expect(banner(page)).toHaveText(/^The database cannot be reached/, { timeout: 30_000 })
})
