import { failureMessages } from '../../../../contract/failures/client-messages.ts'
import type { PipelineState } from '../../../../contract/pipeline/calls.ts'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'

/** Summary of the pipeline's status. */
export type Verdict = { tone: 'success' | 'warning' | 'error' | 'neutral'; title: string; detail: string }

/** Whether the pipeline has any task. */
export const hasTasks = ({ stages }: PipelineState) => Object.values(stages).some(({ total }) => total > 0)

/** Number of running and of waiting tasks. A run that waits for quota counts as waiting. */
function liveCounts(stages: PipelineState['stages']): { running: number; waiting: number } {
  const all = Object.values(stages)
  const waitingForQuota = all.reduce((sum, { waiting_for_quota }) => sum + waiting_for_quota, 0)
  return {
    running: all.reduce((sum, { running }) => sum + running, 0) - waitingForQuota,
    waiting: all.reduce((sum, { queued }) => sum + queued, 0) + waitingForQuota,
  }
}

/** Summarises the pipeline's status. `at` formats a timestamp; `outages` are the parts of Rowferry that are down. */
export function verdictOf(
  state: PipelineState,
  at: (moment: string) => string,
  outages: readonly string[],
): Verdict {
  const { stages, attention_counts, attention_tasks, marked, next, today, source_schedule_on } = state
  const all = Object.values(stages)
  if (!hasTasks(state)) return { tone: 'neutral', title: messages.no_tasks, detail: messages.no_tasks_text }
  if (outages.length > 0) return { tone: 'error', title: messages.outage, detail: outages.join(' ') }
  const { failed } = attention_counts
  const open = attention_tasks - failed
  const { running, waiting } = liveCounts(stages)
  const ended = today.success + today.warning + today.failed + today.stopped
  const first = next[0]
  const known = failureMessages.marked(marked.acknowledged, marked.snoozed)
  const detail = joinParts([
    failed > 0 && open > 0 ? messages.and_to_look_at(open) : '',
    known,
    messages.live(running, waiting),
    messages.runs_today(ended),
    first ? messages.next_at(at(first.at)) : messages.nothing_next,
  ])
  if (failed > 0) return { tone: 'error', title: messages.failed(failed), detail }
  if (open > 0) return { tone: 'warning', title: messages.to_look_at(open), detail }
  if (!source_schedule_on)
    return { tone: 'warning', title: messages.schedule_off, detail: messages.schedule_off_text }
  const active = all.reduce((sum, stage) => sum + stage.active, 0)
  const never_run = all.reduce((sum, stage) => sum + stage.never_run, 0)
  if (active === 0) return { tone: 'neutral', title: messages.all_inactive, detail }
  if (known !== '') return { tone: 'neutral', title: messages.known_only, detail }
  // No failures, but no successful run either.
  if (never_run === active) return { tone: 'neutral', title: messages.no_runs_yet, detail }
  return { tone: 'success', title: messages.all_right, detail }
}

function joinParts(parts: readonly string[]): string {
  const text = parts.filter(Boolean).join(' · ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
