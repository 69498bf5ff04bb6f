import { taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import { formatMoment } from '../../../engine/log-entries.ts'
import type { Mail } from '../../../platform/mail.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import { withoutSecrets } from '../../../platform/secret-text.ts'
import type { FailedRun } from '../queries.ts'

/** Maximum number of tasks per cause, and of causes per mail. */
const TASKS_NAMED = 50
const CAUSES_NAMED = 50

const KINDS: Record<TaskCategory, { word: string; page: (task_id: number) => string }> = {
  sync: { word: 'sync task', page: (id) => `/sync_tasks/${id}/logs` },
  source: { word: 'source task', page: (id) => `/source_tasks/${id}/logs` },
  compiler: { word: 'compile', page: () => '/compiler' },
}

/** Formats one mail about one or more failed runs, grouped by error. */
export function writeMail(
  runs: readonly FailedRun[],
  { publicUrl, zone }: { publicUrl: string; zone: string },
): Pick<Mail, 'subject' | 'text'> {
  const tasks = new Map(runs.map((run) => [run.task_id, run]))
  const [only] = runs
  const subject =
    only && tasks.size === 1 ? `Rowferry: ${titleOf(only)} failed` : `Rowferry: ${tasks.size} tasks failed`
  const causes = [...Map.groupBy(runs, ({ error }) => oneLine(withoutSecrets(error)))]
  const parts = causes.slice(0, CAUSES_NAMED).map(([cause, all]) => {
    // The last run of a task includes the number of earlier failures.
    const last = [...new Map(all.map((run) => [run.task_id, run])).values()]
    const lines = last.slice(0, TASKS_NAMED).map((run) => entry(run, publicUrl, zone))
    return [
      cause === '' ? 'The run gave no reason.' : cause,
      '',
      ...lines,
      ...more(last.length - TASKS_NAMED),
    ].join('\n')
  })
  return { subject, text: `${[...parts, ...more(causes.length - CAUSES_NAMED)].join('\n\n')}\n` }
}

function entry(run: FailedRun, publicUrl: string, zone: string): string {
  const { category, finished_at, since, failures, task_id } = run
  const { word, page } = KINDS[category]
  const again = failures > 1 ? `, since ${formatMoment(since, zone)} (${failures} runs)` : ''
  return `- ${titleOf(run)} (${word}), ${formatMoment(finished_at, zone)}${again}\n  ${publicUrl}${page(task_id)}`
}

const titleOf = ({ task_id, name, sheets }: FailedRun) =>
  oneLine(titleText(taskTitle({ id: task_id, name, sheets })))

const more = (count: number) => (count > 0 ? [`… and ${count} more.`] : [])

// Collapses line breaks in names and errors, so that they cannot forge lines.
const oneLine = (text: string) => text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
