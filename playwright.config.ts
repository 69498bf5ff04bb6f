import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './test/e2e/chromium.ts'

export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/e2e/running-app.ts',
  // One app, one database: the tests take turns and use spreadsheets of their own.
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    launchOptions: await chromiumOptions(),
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
})
