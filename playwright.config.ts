import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './test/e2e/chromium.ts'

export default defineConfig({
  testDir: 'test/e2e',
  // Half of its time a test waits for an answer or a moment to pass: two processors have room for three.
  workers: 3,
  // A machine under load may be late once; what fails twice is broken. The report lists what needed the second try.
  retries: 1,
  // A test waits for what must happen. These end it only when that never comes: a large table is drawn within 20 s beside other work.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['./test/runner/durations.ts']],
  outputDir: 'test-results',
  use: {
    launchOptions: await chromiumOptions(),
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
  },
})
