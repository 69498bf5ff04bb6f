import { test as base, expect } from '@playwright/test'
import type { Kysely } from 'kysely'
import { addDemoTypes } from '../../scripts/seed.ts'
import { createDb } from '../../src/server/platform/db.ts'
import type { Database } from '../../src/server/platform/schema.ts'
import { removeTasks } from '../fixtures/compiling.ts'
import { type RunningApp, startApp } from './running-app.ts'

export { expect } from '@playwright/test'

/** A browser test against the running app. The first test of a file finds the types of a new sandbox, and no tasks. An error or warning on the page's console fails it. */
export const test = base.extend<
  {
    sandboxUrl: string
    db: Kysely<Database>
    emptyPipeline: undefined
    quietConsole: undefined
    endedRoutes: undefined
  },
  { app: RunningApp }
>({
  // Each Playwright worker has its own app and database and runs its tests sequentially.
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern to find the fixtures that this one uses
    async ({}, use) => {
      const app = await startApp()
      // for requests that a test sends without its page
      process.env.ROWFERRY_URL = app.url
      process.env.SANDBOX_URL = app.sandboxUrl
      await use(app)
      await app.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ app }, use) => use(app.url),
  sandboxUrl: ({ app }, use) => use(app.sandboxUrl),
  // For rows that cannot be created through the API.
  db: async ({ app }, use) => {
    const db = createDb({ url: app.databaseUrl, max: 1 })
    await use(db)
    await db.destroy()
  },
  // Which files a worker has run before depends on how quick it is.
  emptyPipeline: [
    async ({ app, db }, use, { file }) => {
      if (app.lastFile !== file) {
        await removeTasks(db)
        await addDemoTypes(db)
      }
      app.lastFile = file
      await use(undefined)
    },
    { auto: true },
  ],
  quietConsole: [
    async ({ page }, use) => {
      const unexpected: string[] = []
      page.on('console', (message) => {
        // The browser logs this for every error reply, which tests of errors provoke.
        if (message.text().startsWith('Failed to load resource')) return
        if (['error', 'warning'].includes(message.type())) unexpected.push(message.text())
      })
      page.on('pageerror', (error) => unexpected.push(String(error)))
      await use(undefined)
      expect(unexpected, 'unexpected messages on the console').toEqual([])
    },
    { auto: true },
  ],
  // A request whose reply a test still holds back or waits for when it ends would otherwise fail the next test.
  endedRoutes: [
    async ({ page }, use) => {
      await use(undefined)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    },
    { auto: true },
  ],
})
