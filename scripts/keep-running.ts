import { setTimeout as sleep } from 'node:timers/promises'

const QUICK_MS = 10_000
const PAUSES_MS = [250, 1_000, 4_000, 16_000]

/** Something that was started: when and how it ended, and how to end it. */
export type Running = { ended: Promise<string>; stop: () => Promise<void> }

/** Something that is started again whenever it ends by itself. */
export type Kept = { stop: () => Promise<void> }

/**
 * Starts something and starts it again whenever it ends: after the first of `pauses` (250 ms), and after a longer one
 * for each further death within 10 s of a start. One more such death, or a start that fails, calls `onGiveUp` with
 * the reason. Throws what the first start throws.
 */
export async function keepRunning(options: {
  name: string
  start: () => Promise<Running>
  onGiveUp: (reason: string) => void
  pauses?: number[]
}): Promise<Kept> {
  const { name, start, onGiveUp, pauses = PAUSES_MS } = options
  const stopping = new AbortController()
  let running = await start()

  async function watch(): Promise<void> {
    let quickDeaths = 0
    for (;;) {
      const startedAt = performance.now()
      const ending = await running.ended
      if (stopping.signal.aborted) return
      if (performance.now() - startedAt >= QUICK_MS) quickDeaths = 0
      const pause = pauses[quickDeaths]
      if (pause === undefined) return onGiveUp(`${name} keeps ending (${ending}).`)
      quickDeaths += 1
      console.error(`${name} ended (${ending}); starting it again in ${pause / 1000} s.`)
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      running = await start()
    }
  }

  const watched = watch().catch((error: unknown) =>
    onGiveUp(`${name} does not start again: ${String(error)}`),
  )
  return {
    stop: async () => {
      stopping.abort()
      await running.stop()
      await watched
    },
  }
}
