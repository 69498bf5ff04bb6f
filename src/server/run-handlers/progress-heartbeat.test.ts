import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { RunContext } from '../engine/types.ts'
import { withProgressHeartbeat } from './progress-heartbeat.ts'

test('a long step is logged at growing intervals, with its name; progress and log lines restart the interval', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const lines: string[] = []
    const context = {
      log: async (_level: string, line: string) => void lines.push(line),
      progress: async () => {},
    } as unknown as RunContext
    const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
    await withProgressHeartbeat(context, 'Opening', async ({ progress, log }) => {
      await pass(9_900)
      await progress({ phase: 'Comparing', rows_done: 0 })
      for (let rows_done = 1; rows_done < 9; rows_done += 1) {
        await pass(9_000)
        await progress({ rows_done })
      }
      expect(lines).toEqual([])
      await progress({ phase: 'Committing' })
      // The same phase again is no activity.
      await pass(5_000)
      await progress({ phase: 'Committing' })
      await pass(30_000)
      expect(lines).toEqual(['Committing: 10 s so far.', 'Committing: 30 s so far.'])
      await log('INFO', 'Committed')
      await pass(9_900)
    })
    await pass(60_000)
    expect(lines).toHaveLength(3)
  } finally {
    vi.useRealTimers()
  }
  await sleep(0)
})
