import type { ReadyBy } from './calls.ts'
import { readyByMessages as messages } from './client-messages.ts'

/**
 * `ready`: its tasks have ended already. `on_time`: it will be ready in the worst case, too. `tight`: it will be ready by the medians
 * but not in the worst case. `unknown`: there is no forecast.
 */
export type ReadyState = keyof typeof messages.state

type Forecast = Pick<
  ReadyBy,
  | 'deadline'
  | 'ready_at'
  | 'ready_at_worst'
  | 'is_late'
  | 'is_ready'
  | 'reason'
  | 'tasks'
  | 'measured_tasks'
  | 'measured_runs'
>

/** State of a deadline by its forecast. */
export function readyStateOf({
  deadline,
  ready_at,
  ready_at_worst,
  is_late,
  is_ready,
}: Forecast): ReadyState {
  if (is_late) return 'late'
  if (ready_at === null || deadline === null) return 'unknown'
  if (is_ready) return 'ready'
  return ready_at_worst !== null && Date.parse(ready_at_worst) > Date.parse(deadline) ? 'tight' : 'on_time'
}

/** The forecast in words: when it will be ready, or why not. `clock` formats a time of day. */
export function forecastText(forecast: Forecast, clock: (iso: string) => string): string {
  const { deadline, ready_at, ready_at_worst, is_late, is_ready, reason } = forecast
  if (is_late || ready_at === null || deadline === null) return reason || messages.making
  if (is_ready) return messages.ready_since(clock(ready_at))
  const expected = [
    messages.expected(clock(ready_at)),
    ...(ready_at_worst === null ? [] : [messages.worst(clock(ready_at_worst))]),
  ].join(', ')
  const spare_ms = Date.parse(deadline) - Date.parse(ready_at)
  return `${expected}; ${messages.to_spare(Math.floor(spare_ms / 60_000))}`
}

/** What the forecast is based on, in words; blank without one. */
export function basisText({
  ready_at,
  ready_at_worst,
  is_ready,
  tasks,
  measured_tasks,
  measured_runs,
}: Forecast): string {
  if (ready_at === null || is_ready) return ''
  return [
    messages.basis(measured_runs, measured_tasks),
    ...(tasks > measured_tasks ? [messages.unmeasured(tasks - measured_tasks)] : []),
    ...(ready_at_worst === null ? [messages.too_few] : []),
  ].join(' ')
}
