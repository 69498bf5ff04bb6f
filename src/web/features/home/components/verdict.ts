import type { PipelineState } from '../../../../contract/pipeline/calls.ts'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'

/** Whether everything is all right, in a few words. */
export type Verdict = { tone: 'success' | 'warning' | 'error' | 'neutral'; title: string; detail: string }

/** Whether there is anything to be shown of a pipeline. */
export const hasTasks = ({ stages }: PipelineState) => Object.values(stages).some(({ total }) => total > 0)

/** How many tasks run and how many wait: for anything before they start, or at work for a quota. */
function liveCounts(stages: PipelineState['stages']): { running: number; waiting: number } {
  const all = Object.values(stages)
  const held = all.reduce((sum, { waiting_for_quota }) => sum + waiting_for_quota, 0)
  return {
    running: all.reduce((sum, { running }) => sum + running, 0) - held,
    waiting: all.reduce((sum, { queued }) => sum + queued, 0) + held,
  }
}

/** What the pipeline comes to; `at` says a moment as people read it, `outages` which parts of Rowferry are down. */
export function verdictOf(
  state: PipelineState,
  at: (moment: string) => string,
  outages: readonly string[],
): Verdict {
  const { stages, attention_counts, attention_tasks, next, today, source_schedule_on } = state
  const all = Object.values(stages)
  if (!hasTasks(state)) return { tone: 'neutral', title: messages.no_tasks, detail: messages.no_tasks_text }
  if (outages.length > 0) return { tone: 'error', title: messages.outage, detail: outages.join(' ') }
  const { failed } = attention_counts
  const open = attention_tasks - failed
  const { running, waiting } = liveCounts(stages)
  const ended = today.success + today.warning + today.failed + today.stopped
  const first = next[0]
  const detail = sentence([
    failed > 0 && open > 0 ? messages.and_to_look_at(open) : '',
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
  // Nothing speaks against it, and nothing for it either.
  if (never_run === active) return { tone: 'neutral', title: messages.no_runs_yet, detail }
  return { tone: 'success', title: messages.all_right, detail }
}

function sentence(parts: readonly string[]): string {
  const text = parts.filter(Boolean).join(' · ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
