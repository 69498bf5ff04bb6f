import type { Locator, Page } from '@playwright/test'
import { expect } from './app-test.ts'

// more than any page here has: a list of types shows all that the tests beside this one have added
const LONGEST_WAY = 800

/** Goes on with Tab, or `key`, until the focus is on `target` and can be seen there. Fails if it does not get there. */
export async function goTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await expect(target).toBeAttached()
  for (let steps = 0; steps < LONGEST_WAY && !(await hasFocus(target)); steps += 1)
    await page.keyboard.press(key)
  await expect(target).toBeFocused()
  await expect.poll(() => target.evaluate(isLit), { message: `${target} shows the focus` }).toBe(true)
}

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement)

/** Whether the focus ring is visible on the element, on its frame, or on its label. */
function isLit(element: Element): boolean {
  const frame = element.closest('.mantine-Input-input')
  return [element, frame, element.nextElementSibling].some((one) => {
    if (!one) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  })
}

/** Picks a row up by its handle with the keyboard; `said`: what a screen reader says then. It takes the next key. */
export async function pickUp(page: Page, handle: Locator, said: string | RegExp): Promise<void> {
  await handle.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText(said)).toBeAttached()
  // dnd-kit begins to listen in a timer that it sets before it says so, and timers of no length come in turn
  await page.evaluate(() => new Promise<void>((listens) => setTimeout(listens)))
}
