import type { Stage } from '../../../../contract/pipeline/calls.ts'
import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'

/** States of which Home counts tasks. */
export type CountedState = Exclude<keyof Stage, 'total' | 'active' | 'waiting_for_quota'>

const statuses: Record<'sync' | 'source', Record<CountedState, readonly string[]>> = {
  sync: {
    failed: ['Failed', 'Error'],
    running: ['Running', 'Stopping'],
    queued: ['Queued'],
    warnings: ['Warning'],
    stopped: ['Stopped'],
    never_run: ['Pending'],
  },
  source: {
    failed: ['failed', 'email_sent'],
    running: ['running'],
    queued: ['pending'],
    warnings: ['warning'],
    stopped: ['stopped'],
    never_run: ['new'],
  },
}

/** URL of the active tasks of a category in a state. The few compiler configurations are not filtered. */
export function pathOfState(category: TaskCategory, state: CountedState): string {
  if (category === 'compiler') return '/compiler'
  const params = new URLSearchParams(statuses[category][state].map((status) => ['status', status]))
  params.set('active', '1')
  return `/${category}_tasks?${params}`
}
