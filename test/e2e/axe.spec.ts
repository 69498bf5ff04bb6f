import { axeFindings } from '../fixtures/axe.ts'
import { expect, test } from './app-test.ts'

test('axe reports what stays on a page, and nothing that fades out during the check', async ({ page }) => {
  await page.setContent(`<!doctype html><html lang="en"><title>Page</title><main><h1>Page</h1>
    <p id="pale" style="color: #eee; background: #fff">Pale</p><p id="leaving" style="transition: opacity 400ms">Leaving</p></main></html>`)
  const contrast = { runOnly: ['color-contrast'] }
  expect(await axeFindings(page, contrast)).toEqual(['color-contrast: #pale'])
  await page.evaluate(() => {
    const { axe } = window as unknown as { axe: { run: (...options: unknown[]) => Promise<unknown> } }
    const { run } = axe
    axe.run = async (...options) => {
      const leaving = document.getElementById('leaving')
      if (leaving) {
        leaving.addEventListener('transitionend', () => leaving.remove())
        const begun = new Promise((resolve) => leaving.addEventListener('transitionrun', resolve))
        leaving.style.opacity = '0.1'
        await begun
        await new Promise(requestAnimationFrame)
        leaving.style.color = '#ccc'
      }
      return run(...options)
    }
  })
  expect(await axeFindings(page, contrast)).toEqual(['color-contrast: #pale'])
})
