import type { RunContext } from '../engine/types.ts'

/** Silence after which a step is spoken of in the log, in milliseconds; the next time it may be twice as long. */
const SILENCE_MS = 10_000

/**
 * Does `work` with a context in whose log something appears again and again however long a step takes: what the run
 * does (`opening` at first), and for how long, once neither a line nor a row of progress has come from it for `silence_ms`.
 */
export async function talking<T>(
  context: RunContext,
  opening: string,
  work: (context: RunContext) => Promise<T>,
  silence_ms = SILENCE_MS,
): Promise<T> {
  let phase = opening
  let rows = 0
  let since = performance.now()
  let silence = silence_ms
  let timer: NodeJS.Timeout | undefined
  const listen = () => {
    clearTimeout(timer)
    timer = setTimeout(speak, silence)
  }
  const onActivity = () => {
    since = performance.now()
    silence = silence_ms
    listen()
  }
  const speak = () => {
    const seconds = Math.round((performance.now() - since) / 1000)
    // A line that cannot be written says nothing that the run's next step does not find out for itself.
    context.log('INFO', `${phase}: ${seconds} s so far.`).catch(() => {})
    silence *= 2
    listen()
  }
  listen()
  try {
    return await work({
      ...context,
      log: (level, message) => {
        onActivity()
        return context.log(level, message)
      },
      progress: (state) => {
        const moved = (state.phase ?? phase) !== phase || (state.rows_done ?? rows) !== rows
        phase = state.phase ?? phase
        rows = state.rows_done ?? rows
        if (moved) onActivity()
        return context.progress(state)
      },
    })
  } finally {
    clearTimeout(timer)
  }
}
