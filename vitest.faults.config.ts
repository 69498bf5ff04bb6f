import { defineConfig } from 'vitest/config'
import tests from './vitest.config.ts'

// Long runs that kill and freeze processes; only `npm run faults` runs them.
export default defineConfig({
  test: {
    ...tests.test,
    include: ['test/faults/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    // They measure recovery times, so files do not run at the same time.
    fileParallelism: false,
    // The longest tests make dozens of copies each, five such tests at a time.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 280_000 } },
    // These tests exist to find intermittent failures.
    retry: 0,
  },
})
