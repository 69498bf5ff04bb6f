import { test as base, expect } from '@playwright/test'
import type { Kysely } from 'kysely'
import { createDb } from '../../src/server/platform/db.ts'
import type { Database } from '../../src/server/platform/schema.ts'
import { type RunningApp, startApp } from './running-app.ts'

export { expect } from '@playwright/test'

/** A browser test of the running app; an error or warning on the page's console fails it. */
export const test = base.extend<
  { sandboxUrl: string; db: Kysely<Database>; quietConsole: undefined },
  { app: RunningApp }
>({
  // One app and one database for each worker process, whose tests run one after the other.
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what it has to hand in
    async ({}, use) => {
      const app = await startApp()
      // for calls that a test makes without its page
      process.env.ROWFERRY_URL = app.url
      process.env.SANDBOX_URL = app.sandboxUrl
      await use(app)
      await app.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ app }, use) => use(app.url),
  sandboxUrl: ({ app }, use) => use(app.sandboxUrl),
  // For rows that no call makes.
  db: async ({ app }, use) => {
    const db = createDb({ url: app.databaseUrl, max: 1 })
    await use(db)
    await db.destroy()
  },
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
