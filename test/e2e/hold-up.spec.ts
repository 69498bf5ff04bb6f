import type { Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

const until = '2026-11-22T14:30:00.000Z'

/** What the event stream tells from now on of a quota that holds runs up. */
async function streamTells(page: Page, hold_up: object | null): Promise<void> {
  const event = JSON.stringify({ type: 'queue', lines: [], hold_up })
  await page.unroute('**/api/events')
  await page.route('**/api/events', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `retry: 300\ndata: ${event}\n\n` }),
  )
}

test('a banner says how many runs wait for the quota and until about when; a few are no matter for it', async ({
  page,
}, { testId }) => {
  await signIn(page)
  const name = `Held up ${testId}`
  await addTask(page, await addType(page, name), name, [['SKU'], ['007']])
  const banner = page.getByRole('status').filter({ hasText: 'quota' })

  await streamTells(page, { service: 'Google Sheets', runs: 4, until })
  await page.goto('/sync_tasks')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(banner).toHaveCount(0)

  await streamTells(page, { service: 'Google Sheets', runs: 37, until })
  await expect(banner).toContainText('37')
  await expect(banner).toContainText('Nov 22, 09:30')

  await streamTells(page, { service: 'Google Sheets', runs: 12, until: null })
  await expect(banner).toContainText('12')
  await expect(banner).not.toContainText('09:30')

  await streamTells(page, null)
  await expect(banner).toHaveCount(0, { timeout: 30_000 })
})
