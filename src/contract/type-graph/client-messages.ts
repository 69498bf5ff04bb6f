import { formatted } from '../counted.ts'

/** Texts of the dependency graph of task types. */
export const graphMessages = {
  dependency_graph: 'Dependency Graph',
  cycles_detected: 'Cycle(s) detected (graph may be incomplete):',
  no_task_types: 'No task types available.',
  fetch_type_graph_failed: 'Failed to load the dependency graph.',
  draw_graph_failed: 'The picture could not be drawn. The list shows the same.',
  graph_explained: 'An arrow leads from a type to one that runs after it.',
  condition_success: 'Must complete successfully',
  condition_completion: 'Must complete (any status)',
  condition_word: { success: 'success', completion: 'any status' },
  no_tasks_in_type: 'No tasks',
  inactive_type: 'Inactive',
  runs_queued: (runs: number, wait: string) => `${formatted(runs)} queued: ${wait}`,
  runs_come_after: (types: readonly string[]) => `A run queued now comes after ${types.join(', ')}`,
  runs_would_fail: (tasks: readonly string[]) => `Runs fail now. Prerequisite not met: ${tasks.join(', ')}`,
  nothing_in_the_way: 'Nothing stands in the way of its runs.',
  listed_elsewhere: 'children listed above',
  group: (name: string, others: number) => `${name} and ${formatted(others)} more`,
  chain: (types: number, first: string, last: string) => `${formatted(types)} types from ${first} to ${last}`,
  group_label: (category: string, types: number) => `${category}, ${formatted(types)} types`,
  unfolds: (types: number) => `group of ${formatted(types)} types, unfolds`,
  fold_groups: 'Fold groups',
  nothing_unfolded: 'No group is unfolded. Press a stack of cards to unfold it.',
  search: 'Find a type',
  match: (place: number, all: number) => `${formatted(place)} of ${formatted(all)}`,
  no_match: 'No type matches.',
  card_counts: (tasks: number, failing: number) =>
    failing > 0
      ? `${formatted(tasks)} ${tasks === 1 ? 'task' : 'tasks'} · ${formatted(failing)} failing`
      : `${formatted(tasks)} ${tasks === 1 ? 'task' : 'tasks'}`,
  states: [
    { tone: 'running', label: 'In progress or queued' },
    { tone: 'error', label: 'Failed' },
    { tone: 'warning', label: 'Warning or stopped' },
    { tone: 'success', label: 'Success' },
    { tone: 'neutral', label: 'Never run' },
  ],
  choose_type: 'Choose a type to see what it waits for and to run it.',
} as const
