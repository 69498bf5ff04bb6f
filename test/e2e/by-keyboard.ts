import type { Locator, Page } from '@playwright/test'
import { expect } from './app-test.ts'

// exceeds the focusable elements of any page; a list of types also contains those that other tests have added
const MAX_STEPS = 800

/**
 * Presses Tab, or `key`, until `target` has a visible focus indicator; inside a group that is one Tab stop, the right arrow. Fails if it
 * is never reached.
 */
export async function goTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await expect(target).toBeAttached()
  for (let steps = 0; steps < MAX_STEPS && !(await hasFocus(target)); steps += 1)
    await page.keyboard.press((await isInGroup(target)) ? 'ArrowRight' : key)
  await expect(target).toBeFocused()
  await expect.poll(() => target.evaluate(isLit), { message: `${target} shows the focus` }).toBe(true)
}

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement)

/** Whether the focus is on a control of the same group; a heading there is no control. */
const isInGroup = (target: Locator) =>
  target.evaluate((element) => {
    const group = element.closest('[data-roving]')
    const focused = document.activeElement
    return group !== null && focused?.closest('[data-roving]') === group && !focused.matches('h1')
  })

/** Whether the focus ring is visible on the element, its input wrapper, or its label. */
function isLit(element: Element): boolean {
  const frame = element.closest('.mantine-Input-input')
  return [element, frame, element.nextElementSibling].some((one) => {
    if (!one) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  })
}

/** Starts dragging a row by its handle with the keyboard. `said` is the expected screen reader announcement. */
export async function pickUp(page: Page, handle: Locator, said: string | RegExp): Promise<void> {
  await handle.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText(said)).toBeAttached()
  // dnd-kit adds its key listener in a timer that it sets before the announcement. Zero-delay timers run in order.
  await page.evaluate(() => new Promise<void>((listens) => setTimeout(listens)))
}
