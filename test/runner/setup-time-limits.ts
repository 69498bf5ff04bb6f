import { matchesGlob, relative } from 'node:path'
import { expect, vi } from 'vitest'
import { SLOW_TESTS } from '../../scripts/slow-tests.ts'

const SLOW_TEST_MS = 300_000

// Vitest restores its own limits after each file.
const path = relative(process.cwd(), expect.getState().testPath ?? '')
if (SLOW_TESTS.some((glob) => matchesGlob(path, glob)))
  vi.setConfig({
    testTimeout: SLOW_TEST_MS,
    hookTimeout: SLOW_TEST_MS,
    expect: { poll: { timeout: SLOW_TEST_MS - 20_000 } },
  })
