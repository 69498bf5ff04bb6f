import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { jsonMoment } from '../platform/json-moment.ts'
import { asyncCommit } from './async-commit.ts'
import { type Lease, leaseIsAlive } from './delivery.ts'
import type { Progress } from './transitions.ts'
import type { RunContext } from './types.ts'
import { untilAborted } from './until-aborted.ts'

const EVERY_MS = 500

type Wait = Parameters<RunContext['wait']>[0]

/**
 * Writes a run's progress and what it waits for at most every 500 ms, latest state only. The last state is written
 * with the end of the run. `lost` is called if the lease is no longer valid.
 */
export function progressWriter(db: Db, lease: Lease, signal: AbortSignal, lost: () => never) {
  let latest: Progress | null = null
  // Concurrent requests may wait for different things; the longest wait is shown.
  const waits = new Map<Wait, number>()
  let written_at = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const put = async (): Promise<void> => {
    written_at = performance.now()
    const written = await db
      .updateTable('runs')
      .set({ ...(latest && progressColumns(latest)), wait: waitColumn(waits), updated_at: sql`now()` })
      .where(leaseIsAlive(lease))
      .returning(asyncCommit.as('no_wait'))
      .executeTakeFirst()
    if (!written) lost()
  }
  const dueIn = () => Math.max(0, written_at + EVERY_MS - performance.now())
  const putSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      // The run's next step detects the same failure.
      if (!signal.aborted) writing = untilAborted(put(), signal).catch(() => {})
    }, dueIn())
  }
  return {
    latest: () => latest,
    write: async (state: Partial<Progress>): Promise<void> => {
      latest = { phase: '', rows_done: 0, rows_total: null, ...latest, ...state }
      if (timer) return
      if (dueIn() === 0) return put()
      putSoon()
    },
    wait: (wait: Wait): (() => void) => {
      waits.set(wait, performance.now() + wait.ms)
      putSoon()
      return () => {
        if (waits.delete(wait)) putSoon()
      }
    },
    close: async (): Promise<void> => {
      clearTimeout(timer)
      timer = undefined
      await writing
    },
  }
}

const progressColumns = ({ phase, rows_done, rows_total }: Progress) => ({
  phase,
  rows_done,
  rows_total,
  phase_started_at: sql<Date>`case when phase = ${phase} then phase_started_at else now() end`,
})

// The end of the wait by the database's clock.
function waitColumn(waits: ReadonlyMap<Wait, number>): RawBuilder<string> | null {
  const [longest] = [...waits].sort(([, one], [, other]) => other - one)
  if (!longest) return null
  const [{ ms: _, ...wait }, ends] = longest
  const requests = [...waits.keys()].filter((other) => other.for === 'quota').length
  const seconds = Math.max(0, ends - performance.now()) / 1000
  const until = jsonMoment(sql`now() + make_interval(secs => ${seconds})`)
  const shown = wait.for === 'quota' ? { ...wait, requests } : wait
  return sql<string>`${JSON.stringify(shown)}::jsonb || jsonb_build_object('until', ${until})`
}
