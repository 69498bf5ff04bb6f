import type { ListedRun } from '../../contract/all-runs/calls.ts'
import type { PipelineTask } from '../../contract/pipeline/calls.ts'
import type { Wait } from '../../contract/runs/waits.ts'
import type { LogEntry } from '../../contract/tasks/schemas.ts'
import { moment, own, type Shown } from './marked-text.ts'

/** A task as all tools name it: a compiler task by the id of its configuration. */
export const shownTask = ({ category, id, config_id, name, type }: PipelineTask): Shown => ({
  category: own(category),
  id: config_id ?? id,
  name,
  type,
})

/** What a live run waits for. */
export function shownWait(wait: Wait | null): Shown {
  if (wait === null) return null
  const { for: what, ...rest } = wait
  const times = {
    ...('until' in rest && { until: moment(rest.until) }),
    ...('at' in rest && { at: moment(rest.at) }),
  }
  return { for: own(what), ...rest, ...times }
}

/** A run in lists; its task as all tools name it, without an id once it is deleted. */
export const shownRun = (run: ListedRun): Shown => ({
  run: run.id,
  task: {
    category: own(run.category),
    id: run.config_id ?? run.task_id,
    name: run.task_name,
    type: run.task_type,
  },
  state: own(run.state),
  trigger: own(run.trigger),
  triggered_by: run.triggered_by,
  queued_at: moment(run.queued_at),
  finished_at: moment(run.finished_at),
  seconds: run.duration_seconds,
  rows: run.rows,
  warnings: run.warnings.length,
  error: run.error,
})

export const shownLine = ({ timestamp, level, message }: LogEntry): Shown => ({
  at: moment(timestamp),
  level: own(level),
  message,
})
