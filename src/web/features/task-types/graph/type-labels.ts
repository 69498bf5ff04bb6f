import { IconDatabaseImport, IconRefresh, IconStack2 } from '@tabler/icons-react'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import type { StateCounts, TypeNode } from '../../../../contract/type-graph/calls.ts'
import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'
import { formatCount } from '../../../lib/format.ts'
import type { Tone } from '../../../ui/badge.tsx'

/** Label and icon of a category. */
export const categoryLabels = {
  source: { label: 'Source', icon: IconDatabaseImport },
  compiler: { label: 'Compiler', icon: IconStack2 },
  sync: { label: 'Sync', icon: IconRefresh },
} as const satisfies Record<TaskCategory, { label: string; icon: typeof IconRefresh }>

// Live states first, then those that need attention.
const stateLabels: readonly { state: keyof StateCounts; label: string; tone: Tone }[] = [
  { state: 'running', label: taskMessages.in_progress, tone: 'running' },
  { state: 'stopping', label: 'Stopping', tone: 'warning' },
  { state: 'queued', label: 'Queued', tone: 'info' },
  { state: 'error', label: 'Error', tone: 'error' },
  { state: 'failed', label: 'Failed', tone: 'error' },
  { state: 'warning', label: 'Warning', tone: 'warning' },
  { state: 'stopped', label: 'Stopped', tone: 'warning' },
  { state: 'never_run', label: 'Pending', tone: 'neutral' },
  { state: 'success', label: 'Success', tone: 'success' },
]

/** Task counts by state in the order of importance, without zeros. */
export const statesOf = ({ counts }: Pick<TypeNode, 'counts'>) =>
  stateLabels.flatMap(({ state, ...labels }) =>
    counts[state] > 0 ? [{ ...labels, count: counts[state] }] : [],
  )

export const tasksOf = ({ counts }: Pick<TypeNode, 'counts'>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Number of running or queued tasks. */
export const liveTasks = ({ counts }: Pick<TypeNode, 'counts'>) =>
  counts.queued + counts.running + counts.stopping

/** Colour and summary of a type: "2 In Progress · 5 Success"; beyond two states, the sum of the rest. */
export function summaryOf(node: TypeNode): { tone: Tone; text: string } {
  const states = statesOf(node)
  const [first] = states
  if (first === undefined) return { tone: 'neutral', text: graphMessages.no_tasks_in_type }
  const shown = states.slice(0, 2).map(({ label, count }) => `${count} ${label}`)
  const rest = states.slice(2).reduce((sum, { count }) => sum + count, 0)
  return { tone: first.tone, text: [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(' · ') }
}

/** Number of tasks, and of those whose last run failed. */
export const countsOf = (node: Pick<TypeNode, 'counts'>) =>
  graphMessages.card_counts(tasksOf(node), node.counts.failed + node.counts.error)

/** Description of a node for screen readers. */
export function spoken(node: TypeNode, dependents: number): string {
  const { label } = categoryLabels[node.task_category]
  const parts = [
    node.name,
    label,
    summaryOf(node).text,
    ...(dependents > 0 ? [formatCount(dependents, 'dependent type')] : []),
    ...(node.is_active ? [] : [graphMessages.inactive_type]),
  ]
  return parts.join(', ')
}
