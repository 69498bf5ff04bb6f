import { defineConfig } from 'vitest/config'
import tests from './vitest.config.ts'

// The long runs that kill and freeze processes; `npm test` leaves them out.
export default defineConfig({
  test: {
    ...tests.test,
    include: ['test/faults/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    // They measure how soon something recovers.
    fileParallelism: false,
    // Each of the longest makes dozens of copies, one after the other, five such tests at a time.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 280_000 } },
    // What fails once in a while is what they are there to find.
    retry: 0,
  },
})
