import type { RunContext } from '../engine/types.ts'

/** Milliseconds without activity after which a line is logged; doubled after each line. */
const HEARTBEAT_AFTER_MS = 10_000

/**
 * Runs `work` with a context that logs a heartbeat during long steps: the phase (`opening` at first) and its duration, whenever neither
 * a log line nor progress has come for `heartbeat_after_ms`.
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
  let delay = heartbeat_after_ms
  let timer: NodeJS.Timeout | undefined
  const schedule = () => {
    clearTimeout(timer)
    timer = setTimeout(logHeartbeat, delay)
  }
  const onActivity = () => {
    since = performance.now()
    delay = heartbeat_after_ms
    schedule()
  }
  const logHeartbeat = () => {
    const seconds = Math.round((performance.now() - since) / 1000)
    // If the log cannot be written, the run's next step fails for the same reason.
    context.log('INFO', `${phase}: ${seconds} s so far.`).catch(() => {})
    delay *= 2
    schedule()
  }
  schedule()
  try {
    return await work({
      ...context,
      log: (level, message) => {
        onActivity()
        return context.log(level, message)
      },
      progress: (state) => {
        const isActive = (state.phase ?? phase) !== phase || (state.rows_done ?? rows) !== rows
        phase = state.phase ?? phase
        rows = state.rows_done ?? rows
        if (isActive) onActivity()
        return context.progress(state)
      },
    })
  } finally {
    clearTimeout(timer)
  }
}
