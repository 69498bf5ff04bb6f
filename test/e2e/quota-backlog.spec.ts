import type { Page } from '@playwright/test'
import { limits } from '../../src/contract/limits.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

/** Replaces the event stream by one that sends only the quota backlog. */
async function quotaStream(page: Page) {
  let backlog: object | null = null
  let times = 0
  // One route for the whole test: between two routes the page would connect to the real stream and keep it.
  await page.route('**/api/events', (route) => {
    times += 1
    const event = JSON.stringify({ type: 'queue', lines: [], quota_backlog: backlog })
    return route.fulfill({ contentType: 'text/event-stream', body: `retry: 300\ndata: ${event}\n\n` })
  })
  return {
    set: (quota_backlog: object | null) => {
      backlog = quota_backlog
      times = 0
    },
    /** Waits for the page's next request: by then it has received the previous event. */
    isReceived: () => expect.poll(() => times).toBeGreaterThan(1),
  }
}

test('a banner shows how many runs wait for the quota and their number of requests, above a threshold', async ({
  page,
}, { testId }) => {
  await page.clock.install()
  await signIn(page)
  const name = `Held up ${testId}`
  await addTask(page, await addType(page, name), name, [['SKU'], ['007']])
  const banner = page.getByRole('status').filter({ hasText: 'quota' })
  const stream = await quotaStream(page)

  stream.set({ service: 'Google Sheets', runs: 4, requests: 4 })
  await page.goto('/sync_tasks')
  await expect(page.getByRole('article').first()).toBeVisible()
  await stream.isReceived()
  await expect(banner).toHaveCount(0)

  stream.set({ service: 'Google Sheets', runs: 37, requests: 21 })
  await expect(banner).toContainText('37 tasks wait, with 21 requests ahead')

  stream.set({ service: 'Google Sheets', runs: 12, requests: 1 })
  await expect(banner).toContainText('12 tasks wait, with 1 request ahead')

  stream.set(null)
  await stream.isReceived()
  await expect(banner).toHaveCount(1)
  await page.clock.runFor(limits.quota_backlog_lingers_ms)
  await expect(banner).toHaveCount(0)
})
