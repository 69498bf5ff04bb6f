import { runMessages } from '../../../contract/runs/client-messages.ts'
import type { Wait } from '../../../contract/runs/waits.ts'

const MINUTE_S = 60

// Rounded to five seconds below a minute, otherwise to minutes.
function about(seconds: number): string {
  if (seconds <= 0) return ''
  if (seconds < MINUTE_S) return `about ${Math.ceil(seconds / 5) * 5} s`
  return `about ${Math.round(seconds / MINUTE_S)} min`
}

function within(seconds: number): string {
  if (seconds <= 0) return ''
  if (seconds < 2 * MINUTE_S) return `in ${Math.ceil(seconds)} s`
  return `in ${Math.round(seconds / MINUTE_S)} min`
}

/** Wait reason of a live run; `now` in milliseconds since 1970, by the server's clock. */
export function waitText(wait: Wait, place: number | null, now: number): string {
  const left = (moment: string) => (Date.parse(moment) - now) / 1000
  const text = reason(wait, left)
  return place === null || wait.for === 'turn' ? text : `${text}, ${runMessages.wait_place(place)}`
}

function reason(wait: Wait, left: (moment: string) => number): string {
  switch (wait.for) {
    case 'quota':
      return runMessages.wait_quota(wait.service, about(left(wait.until)))
    case 'backoff':
      return runMessages.wait_backoff(wait.reason, within(left(wait.until)))
    case 'retry':
      return runMessages.wait_retry(wait.attempt, within(left(wait.at)), wait.error)
    case 'worker':
      return wait.folders ? runMessages.wait_folder(wait.folders) : runMessages.wait_worker
    case 'prerequisites':
      return runMessages.wait_prerequisites(wait.types)
    case 'inputs':
      return runMessages.wait_inputs(wait.tasks, wait.more)
    case 'exclusive':
      return runMessages.wait_target(wait.task)
    case 'slot':
      return runMessages.wait_slot(wait.type, wait.at_work, wait.slots)
    case 'delay':
      return runMessages.wait_delay(wait.type, within(left(wait.until)))
    case 'turn':
      return runMessages.wait_turn
    case 'pick_up':
      return runMessages.wait_pick_up
  }
}
