import { setTimeout as sleep } from 'node:timers/promises'

const QUICK_MS = 10_000
// The last delay repeats.
const PAUSES_MS = [250, 1_000, 4_000, 16_000, 60_000]

/** A started process: resolves `ended` with the reason, and can be stopped. */
export type Running = { ended: Promise<string>; stop: () => Promise<void> }

/** A supervised process. */
export type Supervised = { stop: () => Promise<void> }

/** A process that keeps failing: the last reason and the time of the next start. */
export type Outage = { reason: string; next_start: Date }

/**
 * Starts a process and restarts it whenever it ends, without limit. The first restart waits 250 ms; each further end within 10 s of
 * a start, or failed start, waits longer, up to a minute. `onOutage` is called from the second such end on, and with undefined
 * after the process has run for 10 s. Throws the error of the first start.
 */
export async function supervise(options: {
  name: string
  start: () => Promise<Running>
  onOutage?: (outage: Outage | undefined) => void
  pauses?: readonly number[]
  quick_ms?: number
}): Promise<Supervised> {
  const { name, start, onOutage, pauses = PAUSES_MS, quick_ms = QUICK_MS } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const first = await start()
  let running: Running | undefined = first
  let quickDeaths = 0

  async function watch(): Promise<void> {
    let ending = await endOf(first)
    while (!signal.aborted) {
      const pause = pauses[Math.min(quickDeaths, pauses.length - 1)] ?? 0
      if (quickDeaths > 0) onOutage?.({ reason: ending, next_start: new Date(Date.now() + pause) })
      quickDeaths += 1
      console.error(`${name} ended (${ending}); restarting in ${pause / 1000} s.`)
      await sleep(pause, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        running = await start()
        // stop() may have been called during the start.
        if (signal.aborted) await running.stop()
        ending = await endOf(running)
      } catch (error) {
        running = undefined
        ending = error instanceof Error ? error.message : String(error)
      }
    }
  }

  async function endOf(life: Running): Promise<string> {
    const steady = setTimeout(() => {
      if (quickDeaths > 1) onOutage?.(undefined)
      quickDeaths = 0
    }, quick_ms)
    const ending = await life.ended
    clearTimeout(steady)
    return ending
  }

  const watched = watch()
  return {
    stop: async () => {
      stopping.abort()
      await running?.stop()
      await watched
    },
  }
}
