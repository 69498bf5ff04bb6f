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

/** Whether there is a ring on it, on the frame around it, or on the label that stands for it. */
function isLit(element: Element): boolean {
  const frame = element.closest('.mantine-Input-input')
  return [element, frame, element.nextElementSibling].some((one) => {
    if (!one) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  })
}
