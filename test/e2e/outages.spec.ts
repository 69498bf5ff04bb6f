import type { Page } from '@playwright/test'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

const STATUS = '**/api/system_status'
const banner = (page: Page) => page.getByRole('complementary', { name: 'Outage' })

/** Advances the page's clock by seconds until the banner shows `text`; null: until the banner is gone. */
async function laterSays(page: Page, text: RegExp | null): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(1_000)
        const [said = null] = await banner(page).allTextContents()
        return text === null || said === null ? said === text : text.test(said)
      },
      { intervals: [50] },
    )
    .toBe(true)
}

test.beforeEach(async ({ page }) => {
  await page.clock.install()
  await signIn(page)
})

test('the page shows which parts are down and why, until they are back', async ({ page }) => {
  const outage = { reason: 'exit code 1', next_start: '2026-01-31T04:00:00.000Z' }
  await page.route(STATUS, (route) =>
    route.fulfill({
      json: { outages: [{ part: 'worker', none_left: true, ...outage }], missing_folders: [] },
    }),
  )
  await page.goto('/sync_tasks')
  await expect(banner(page)).toHaveText(
    /^No worker is running. Runs wait in the queue until one is back. Last end: exit code 1. Next start: \d\d:00:00.$/,
  )
  await page.unroute(STATUS)
  await laterSays(page, null)
})

test('the page shows that Rowferry does not respond, and that its database is unavailable', async ({
  page,
}) => {
  await page.route(STATUS, (route) => route.abort())
  await page.goto('/sync_tasks')
  await laterSays(page, /^Rowferry does not answer. Trying again every few seconds.$/)
  await page.unroute(STATUS)
  await page.route(STATUS, (route) => route.fulfill({ status: 503, json: {} }))
  await laterSays(page, /^The database cannot be reached/)
})
