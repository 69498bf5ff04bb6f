import type { RunContext } from '../engine/types.ts'

/** Silence after which a step is spoken of in the log, in milliseconds; the next time it may be twice as long. */
const HEARTBEAT_AFTER_MS = 10_000

/**
 * Does `work` with a context in whose log something appears again and again however long a step takes: what the run
 * does (`opening` at first), and for how long, once neither a line nor a row of progress has come from it for `heartbeat_after_ms`.
 */
export async function withProgressHeartbeat<T>(
  context: RunContext,
  opening: string,
  work: (context: RunContext) => Promise<T>,
  heartbeat_after_ms = HEARTBEAT_AFTER_MS,
): Promise<T> {
  let phase = opening
  let rows = 0
  let since = performance.now()
  let silence = heartbeat_after_ms
  let timer: NodeJS.Timeout | undefined
  const listen = () => {
    clearTimeout(timer)
    timer = setTimeout(logHeartbeat, silence)
  }
  const onActivity = () => {
    since = performance.now()
    silence = heartbeat_after_ms
    listen()
  }
  const logHeartbeat = () => {
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
