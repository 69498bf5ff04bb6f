import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './test/e2e/chromium.ts'

export default defineConfig({
  testDir: 'test/e2e',
  // A test spends half of its time waiting, so two processors have room for three workers.
  workers: 3,
  retries: 0,
  // A test waits for a fact; these limits end it when that fact never comes. `test.slow()` triples the first.
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
