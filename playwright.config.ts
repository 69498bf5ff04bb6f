import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './test/e2e/chromium.ts'

export default defineConfig({
  testDir: 'test/e2e',
  // Each worker has its own application and database.
  workers: 2,
  retries: 0,
  // Tests wait for conditions; these timeouts apply if a condition never holds. `test.slow()` triples the first.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['./test/runner/durations.ts']],
  outputDir: 'test-results',
  use: {
    launchOptions: await chromiumOptions(),
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Recording slows every test down: TRACE=1 npm test -- test/e2e/….spec.ts
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
})
