import { test as base, expect } from '@playwright/test'

export { expect } from '@playwright/test'

/** A browser test of the running app; an error or warning on the page's console fails it. */
export const test = base.extend<{ sandboxUrl: string; quietConsole: undefined }>({
  baseURL: process.env.ROWFERRY_URL,
  sandboxUrl: process.env.SANDBOX_URL ?? '',
  quietConsole: [
    async ({ page }, use) => {
      const unexpected: string[] = []
      page.on('console', (message) => {
        // The browser's own remark on a refused call, which tests of refusals provoke.
        if (message.text().startsWith('Failed to load resource')) return
        if (['error', 'warning'].includes(message.type())) unexpected.push(message.text())
      })
      page.on('pageerror', (error) => unexpected.push(String(error)))
      await use(undefined)
      expect(unexpected, 'unexpected messages on the console').toEqual([])
    },
    { auto: true },
  ],
})
