import type { Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

const small = [['SKU'], ['007']]

test.beforeEach(async ({ page }) => signIn(page))

/** Visible controls in rows and group headers, with the element that a click at their center hits. */
const offeredIn = (page: Page) =>
  page
    .getByRole('main')
    .locator('article button, article a[href*="/logs"], article label, button:text-is("Run Group")')
    .evaluateAll((all) =>
      all.flatMap((one) => {
        const { left, top, width, height } = one.getBoundingClientRect()
        const [x, y] = [left + width / 2, top + height / 2]
        const found = document.elementFromPoint(x, y)
        // outside the viewport, or covered by the page header
        if (found === null || found.closest('header')) return []
        return [
          {
            label: one.getAttribute('aria-label') ?? one.textContent,
            y,
            met: one.contains(found)
              ? 'it'
              : found.closest('.toast button')
                ? 'a button of the toast'
                : `${found.tagName} ${found.className}`,
          },
        ]
      }),
    )

test('the failure bar has reserved space; neither it nor a toast moves or covers the actions of rows', async ({
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
    // The first element below the bar is compared: the head of a group changes with the states of its tasks.
    const below = page.getByRole('checkbox', { name: /^Select all/ })
    await expect(page.getByText(/No task ended with an error|Some tasks ended with an error/)).toHaveCount(2)
    const before = await below.boundingBox()
    const [task] = tasks
    await send(page, 'PUT', `/api/sync_tasks/${task?.id}`, { source_sheet_name: `None at ${size.width}` })
    await send(page, 'POST', `/api/sync_tasks/${task?.id}/execute`)
    await expect(row.getByText(`tab called ‘None at ${size.width}’`).first()).toBeVisible()
    await expect(page.getByText('Some tasks ended with an error in the last run.')).toBeVisible()
    expect((await below.boundingBox())?.y).toBe(before?.y)

    const toast = page.locator('.toast')
    // this toast stays for 16 s
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await expect(toast).toBeVisible()
    await toast.evaluate((one) => Promise.all(one.getAnimations().map(({ finished }) => finished)))
    const box = await toast.evaluate((one) => one.getBoundingClientRect().toJSON())
    expect(box.width).toBeGreaterThan(200)
    expect(box.right).toBeGreaterThan(size.width - 40)
    expect(box.bottom).toBeGreaterThan(size.height - 60)
    const isPhone = size.width < 896
    // a phone has no pointer to make the toast fade, so the last rows must scroll above it
    if (isPhone) await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    else await expect(toast).toHaveAttribute('data-over')
    await expect.poll(async () => (await offeredIn(page)).length).toBeGreaterThan(12)
    const offered = await offeredIn(page)
    const sought = isPhone ? offered.slice(-4) : offered
    // The toast's own buttons stay above the list, so that it can always be closed.
    expect.soft(sought.filter(({ met }) => met !== 'it' && met !== 'a button of the toast')).toEqual([])
    if (!isPhone) {
      await test.step('a toast fades while the pointer or the focus is on a control beneath it', async () => {
        await page.mouse.move(box.left + 20, box.top + 10)
        await expect(toast).toHaveCSS('filter', 'opacity(0.12)')
        await page.mouse.move(0, 0)
        await expect(toast).toHaveCSS('filter', 'none')
        // a button reaches 16 px above and below its center
        const beneath = offered.find(
          ({ label, y }) => label?.startsWith('Run ') && y > box.top - 12 && y < box.bottom + 12,
        )
        await page.getByRole('button', { name: beneath?.label ?? '', exact: true }).focus()
        await expect(toast).toHaveCSS('filter', 'opacity(0.12)')
      })
    }
    // The toast can be closed regardless of what it covers; then nothing is covered.
    await toast.getByRole('button', { name: 'Close message' }).click()
    await expect(toast).toHaveCount(0)
    expect.soft((await offeredIn(page)).filter(({ met }) => met !== 'it')).toEqual([])
  }
})
