import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../platform/postgres/errors.ts'

const PAUSE_MS = 500

/**
 * Does `work`, again and again while the database is away, until the signal is aborted, whose reason it then throws. For
 * statements that prove a lease or may be repeated: one whose answer was lost may have gone through.
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
