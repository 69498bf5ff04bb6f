import type { SyncTask } from '../../../contract/sync-tasks.ts'

/** The tasks of one type, in their order. */
export type Group = { id: number; name: string; tasks: SyncTask[] }

/** Tasks by type, in the order in which the types come. */
export function groupTasks(tasks: readonly SyncTask[]): Group[] {
  const groups = new Map<number, Group>()
  for (const task of tasks) {
    const group = groups.get(task.sync_task_type_id)
    if (group) group.tasks.push(task)
    else groups.set(task.sync_task_type_id, { ...task.task_type, tasks: [task] })
  }
  return [...groups.values()]
}

/** One line of the list: the head of a group, or a task; `last` closes the group's card. */
export type Line =
  | { kind: 'group'; group: Group; last: boolean }
  | { kind: 'task'; task: SyncTask; last: boolean }

/** All lines from top to bottom; a folded group has its head only. */
export const linesOf = (groups: readonly Group[], folded: ReadonlySet<number>): Line[] =>
  groups.flatMap((group): Line[] => {
    const tasks = folded.has(group.id) ? [] : group.tasks
    return [
      { kind: 'group', group, last: tasks.length === 0 },
      ...tasks.map((task, index) => ({ kind: 'task' as const, task, last: index === tasks.length - 1 })),
    ]
  })
