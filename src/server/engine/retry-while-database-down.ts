import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../platform/postgres/errors.ts'

const PAUSE_MS = 500

/**
 * Repeats `work` while the database is unavailable, until the signal is aborted; then throws its reason. Only for
 * statements that prove a lease or are idempotent: one whose answer was lost may have been executed.
 */
export async function retryWhileDatabaseDown<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
    }
    await delay(PAUSE_MS)
  }
}
