import type { Role } from './environment.ts'

/** Connections of the queue, a few, so that heartbeats get through when runs use up the others. */
export const QUEUE_CONNECTIONS = 3

// A page's queries, or those of a scheduler.
const QUERIES = 10
// What a worker does beside its runs: letting them start, taking them up, saying that it lives; and the transactions of an
// import and an export.
const BESIDE_RUNS = 6

/** Connections to PostgreSQL that a process opens at most, by what they are for. They are opened on demand. */
export type Connections = {
  queries: number
  /** For rows that runs read and write in bulk. */
  bulk: number
  queue: number
  /** Called with notifications. */
  listen: number
}

/** Enough for every run of a worker to have one of each at the same time, so that none waits for another; the one compile at work has two. */
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
    // A pool has at least one, which nobody opens here.
    bulk: runs + 1,
    queue: roles.includes('worker') || roles.includes('scheduler') ? QUEUE_CONNECTIONS : 0,
    listen: 1,
  }
}
