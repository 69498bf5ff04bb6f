import { join } from 'node:path'
import { type ConnectionSettings, ConnectionTest } from '../../contract/connections/calls.ts'
import { originMessages } from '../../contract/connections/server-messages.ts'

import type { HostRules } from './guarded/host-rules.ts'
import { IsolatedProcess } from './isolated/child.ts'

const MEMORY_MEGABYTES = 512
/** A test reads five pages, each less than a second of processor time. */
const CPU_SECONDS = 20

/** Concurrent tests; each takes memory on this machine. */
const MAX_TESTS = 3
let underWay = 0

/** Input of a test besides the settings. */
export type TestWith = { rules: HostRules; own_database: string; max_rows: number }

/**
 * Tests a connection to an API or a database server in a separate process, so that a reply cannot exhaust this one's
 * time or memory. Failures are returned; it rejects only with the signal's reason.
 */
export async function testApart(
  settings: ConnectionSettings,
  wanted: TestWith,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  if (underWay >= MAX_TESTS) return failedTest(originMessages.tests_many(MAX_TESTS))
  underWay += 1
  try {
    return await testIn(settings, wanted, signal)
  } finally {
    underWay -= 1
  }
}

async function testIn(
  settings: ConnectionSettings,
  wanted: TestWith,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const program = join(import.meta.dirname, 'connection-test-process.ts')
  const child = new IsolatedProcess(
    { program, megabytes: MEMORY_MEGABYTES, cpu_seconds: CPU_SECONDS },
    signal,
  )
  try {
    child.send(JSON.stringify({ settings, ...wanted }))
    for await (const [line] of child.lines)
      if (line) return ConnectionTest.parse(JSON.parse(Buffer.from(line).toString('utf8')))
    signal.throwIfAborted()
    return failedTest((await child.failure()).message)
  } finally {
    await child.end()
  }
}

const failedTest = (message: string): ConnectionTest => ({
  ok: false,
  message,
  exchanges: [],
  columns: [],
  rows: [],
  rows_read: 0,
  pages_read: 0,
  total: null,
  has_more: false,
  warnings: [],
  guess: null,
  file_format: null,
})
