import type { Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

const small = [['SKU'], ['007']]

test.beforeEach(async ({ page }) => signIn(page))

/** Boxes of all that can be pressed in rows and heads of groups. */
const actions = (page: Page) =>
  page
    .getByRole('main')
    .locator('article button, article a[href*="/logs"], article label, button:text-is("Run Group")')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))

const overlap = (a: DOMRect, b: DOMRect) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

test('the bar of failures has its place before a task fails; neither it nor a toast moves or covers what rows offer', async ({
  page,
}, { testId }) => {
  const name = `Steady ${testId}`
  const type = await addType(page, name, { max_retries: 0 })
  const tasks = []
  for (let n = 0; n < 14; n += 1) tasks.push(await addTask(page, type, `${name} ${n}`, small))
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await page.goto(`/sync_tasks?type=${type}`)
    const row = page.getByRole('article').first()
    await expect(page.getByText(/No task ended with an error|Some tasks ended with an error/)).toHaveCount(2)
    const before = await row.boundingBox()
    const [task] = tasks
    await send(page, 'PUT', `/api/sync_tasks/${task?.id}`, { source_sheet_name: `None at ${size.width}` })
    await send(page, 'POST', `/api/sync_tasks/${task?.id}/execute`)
    await expect(page.getByText('Some tasks ended with an error in the last run.')).toBeVisible()
    expect((await row.boundingBox())?.y).toBe(before?.y)

    const toast = page.locator('.toast')
    await page.getByRole('article').nth(1).getByRole('switch').click()
    await expect(toast).toBeVisible()
    await toast.evaluate((one) => Promise.all(one.getAnimations().map(({ finished }) => finished)))
    const box = await toast.evaluate((one) => one.getBoundingClientRect().toJSON())
    expect(box.width).toBeGreaterThan(200)
    // what is under the head of the page is out of sight by itself
    const head = await page.getByRole('banner').evaluate((one) => one.getBoundingClientRect().bottom)
    // a toast under the pointer stays
    await page.mouse.move(0, 0)
    const isPhone = size.width < 896
    // a phone has no room beside the rows: there it stands at the bottom, and the last rows can be scrolled above it
    if (isPhone) await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    const offered = isPhone ? (await actions(page)).slice(-4) : await actions(page)
    for (const action of offered)
      expect.soft(overlap(box, action) && action.bottom > head, JSON.stringify({ box, action })).toBe(false)
    expect(box.bottom).toBeGreaterThan(size.height - 60)
    await expect(toast).toHaveCount(0)
  }
})
