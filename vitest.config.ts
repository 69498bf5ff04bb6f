import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,sandbox,scripts,test}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'test/faults/**', 'test/e2e/**'],
    globalSetup: ['test/setup-postgres.ts'],
    setupFiles: ['test/setup-console.ts'],
    // Most of them wait for processes and the database more than they compute.
    maxWorkers: 3,
    testTimeout: 60_000,
    // Its own second is short on a busy machine.
    expect: { poll: { timeout: 50_000 } },
    hookTimeout: 60_000,
  },
})
