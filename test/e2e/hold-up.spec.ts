import type { Page } from '@playwright/test'
import { limits } from '../../src/contract/limits.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

/** An event stream that tells nothing but how a quota holds runs up. */
async function quotaStream(page: Page) {
  let told: object | null = null
  let times = 0
  // One route for all of the test: between two, the page would find the real stream and stay with it.
  await page.route('**/api/events', (route) => {
    times += 1
    const event = JSON.stringify({ type: 'queue', lines: [], hold_up: told })
    return route.fulfill({ contentType: 'text/event-stream', body: `retry: 300\ndata: ${event}\n\n` })
  })
  return {
    tells: (hold_up: object | null) => {
      told = hold_up
      times = 0
    },
    /** Once the page asks again, it has what it was told before. */
    isHeard: () => expect.poll(() => times).toBeGreaterThan(1),
  }
}

test('a banner says how many runs wait for the quota and how many requests are ahead; a few are no matter for it', async ({
  page,
}, { testId }) => {
  await page.clock.install()
  await signIn(page)
  const name = `Held up ${testId}`
  await addTask(page, await addType(page, name), name, [['SKU'], ['007']])
  const banner = page.getByRole('status').filter({ hasText: 'quota' })
  const stream = await quotaStream(page)

  stream.tells({ service: 'Google Sheets', runs: 4, requests: 4 })
  await page.goto('/sync_tasks')
  await expect(page.getByRole('article').first()).toBeVisible()
  await stream.isHeard()
  await expect(banner).toHaveCount(0)

  stream.tells({ service: 'Google Sheets', runs: 37, requests: 21 })
  await expect(banner).toContainText('37 tasks wait, with 21 requests ahead')

  stream.tells({ service: 'Google Sheets', runs: 12, requests: 1 })
  await expect(banner).toContainText('12 tasks wait, with 1 request ahead')

  stream.tells(null)
  await stream.isHeard()
  await expect(banner).toHaveCount(1)
  await page.clock.runFor(limits.hold_up_lingers_ms)
  await expect(banner).toHaveCount(0)
})
