import { limits } from '../../contract/limits.ts'
import type { SourceStatus } from '../../contract/runs/status.ts'

import type { SourceScheduleStatus } from '../../contract/schedules/calls.ts'
import { scheduleMessages } from '../../contract/schedules/client-messages.ts'
import { formatElapsed } from '../lib/format.ts'
import type { Tone } from '../ui/badge.tsx'

const tones: Partial<Record<SourceStatus, Tone>> = {
  running: 'running',
  completed: 'success',
  failed: 'error',
}

/** Colour of a source task's status on the schedule page; grey by default. */
export const statusTone = (status: SourceStatus): Tone => tones[status] ?? 'neutral'

/** Colour of a heartbeat: green up to 60 s, yellow up to 300 s, otherwise red. */
export function heartbeatTone(age_seconds: number): Tone {
  if (age_seconds <= limits.heartbeat_fresh_seconds) return 'success'
  return age_seconds <= limits.heartbeat_late_seconds ? 'warning' : 'error'
}

/** Status text: whether a scheduler is running, the queued and running runs, and whether a worker is available. */
export const statusMessage = (status: SourceScheduleStatus) =>
  [
    ...(status.scheduler_alive ? [] : [scheduleMessages.no_scheduler]),
    `Scheduler seen ${formatElapsed(status.heartbeat_age_seconds)} ago`,
    `checks every ${status.check_interval} s`,
    `${status.stats.queue_depth} queued`,
    `${status.stats.active_tasks} running`,
    ...(status.workers === 0 && status.stats.queue_depth > 0 ? [scheduleMessages.no_source_workers] : []),
  ].join(' · ')
