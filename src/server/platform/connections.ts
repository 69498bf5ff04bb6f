import type { Role } from './environment.ts'

/** A small pool of pg-boss, so that heartbeats succeed while runs use up the others. */
export const QUEUE_CONNECTIONS = 3

// Queries of pages or of a scheduler.
const QUERIES = 10
// A worker's own statements (admission, claiming, heartbeat) and the transactions of an import and an export.
const BESIDE_RUNS = 6

/** Maximum of PostgreSQL connections of a process, by purpose. They are opened on demand. */
export type Connections = {
  queries: number
  /** Bulk reads and writes of rows by runs. */
  bulk: number
  queue: number
  /** Receives notifications. */
  listen: number
}

/** Enough that no run of a worker waits for another's connection; a running compile uses two. */
export function connectionsOf({
  roles,
  workerConcurrency,
}: {
  roles: readonly Role[]
  workerConcurrency: number
}): Connections {
  const runs = roles.includes('worker') ? workerConcurrency : 0
  const serves = roles.includes('api') || roles.includes('scheduler')
  return {
    queries: (serves ? QUERIES : 0) + (runs && runs + BESIDE_RUNS),
    // A pool needs at least one, which is never opened here.
    bulk: runs + 1,
    queue: roles.includes('worker') || roles.includes('scheduler') ? QUEUE_CONNECTIONS : 0,
    listen: 1,
  }
}
