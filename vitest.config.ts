import { configDefaults, defineConfig } from 'vitest/config'
import { Durations } from './test/runner/durations.ts'
import { LongestFirst } from './test/runner/longest-first.ts'

export default defineConfig({
  test: {
    include: ['{src,sandbox,scripts,test}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'test/faults/**', 'test/e2e/**'],
    globalSetup: ['test/runner/setup-postgres.ts'],
    setupFiles: [
      'test/runner/setup-console.ts',
      'test/runner/setup-clean-up.ts',
      'test/runner/setup-time-limits.ts',
      'test/runner/setup-properties.ts',
    ],
    // A worker loads the source once instead of once per file: loading would take two thirds of the time.
    isolate: false,
    // Most tests wait for processes and the database more than they compute.
    maxWorkers: 4,
    // What failed comes last.
    reporters: [new Durations(), 'default'],
    sequence: { sequencer: LongestFirst },
    // Every test runs when one of these changes: `--changed` follows imports, which do not lead to them.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/sql/*.sql', '**/test/runner/*.ts'],
    // Tests wait for conditions; these timeouts apply if a condition never holds. Files in SLOW_TESTS have longer ones.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 25_000 } },
  },
})
