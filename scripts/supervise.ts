import { setTimeout as sleep } from 'node:timers/promises'

const QUICK_MS = 10_000
// The last one repeats.
const PAUSES_MS = [250, 1_000, 4_000, 16_000, 60_000]

/** Something that was started: when and how it ended, and how to end it. */
export type Running = { ended: Promise<string>; stop: () => Promise<void> }

/** Something that is started again whenever it ends by itself. */
export type Kept = { stop: () => Promise<void> }

/** Something that keeps ending: how it ended last, and when it is started again. */
export type Outage = { reason: string; next_start: Date }

/**
 * Starts something and starts it again whenever it ends, for ever: after the first of `pauses` (250 ms), and after a
 * longer one, up to a minute, for each further end within 10 s of a start; a start that fails counts as such an end.
 * `onOutage` is called from the second of them on, and with undefined once it has run for 10 s. Throws what the first
 * start throws.
 */
export async function supervise(options: {
  name: string
  start: () => Promise<Running>
  onOutage?: (outage: Outage | undefined) => void
  pauses?: readonly number[]
  quick_ms?: number
}): Promise<Kept> {
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
        // It may have been told to stop while it was starting.
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
