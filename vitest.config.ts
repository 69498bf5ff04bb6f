import { defineConfig } from 'vitest/config'
import { Durations } from './test/runner/durations.ts'
import { LongestFirst } from './test/runner/longest-first.ts'

export default defineConfig({
  test: {
    include: ['{src,sandbox,scripts,test}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'test/faults/**', 'test/e2e/**'],
    globalSetup: ['test/runner/setup-postgres.ts'],
    setupFiles: ['test/runner/setup-console.ts', 'test/runner/setup-clean-up.ts'],
    // A worker loads what it tests once, not again for each file: two thirds of the time went into that.
    isolate: false,
    // Most of them wait for processes and the database more than they compute.
    maxWorkers: 4,
    reporters: ['default', new Durations()],
    sequence: { sequencer: LongestFirst },
    // A test waits for what must happen. These end it only when that never comes, however busy the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 280_000 } },
  },
})
