import type { Task, TaskModel } from '../task-model.ts'

/** The tasks of one type, in their order; `id` is null for those without a type. */
export type Group = { id: number | null; name: string; tasks: Task[] }

/** Tasks by type, in the order in which the types come. */
export function groupTasks(model: TaskModel, tasks: readonly Task[]): Group[] {
  const groups = new Map<number | null, Group>()
  for (const task of tasks) {
    const { id, name } = model.groupOf(task)
    const group = groups.get(id)
    if (group) group.tasks.push(task)
    else groups.set(id, { id, name, tasks: [task] })
  }
  return [...groups.values()]
}

/** One line of the list: the head of a group, or a task; `last` closes the group's card. */
export type Line =
  | { kind: 'group'; group: Group; last: boolean }
  | { kind: 'task'; task: Task; last: boolean }

/** All lines from top to bottom; a folded group has its head only. */
export const linesOf = (groups: readonly Group[], folded: ReadonlySet<number | null>): Line[] =>
  groups.flatMap((group): Line[] => {
    const tasks = folded.has(group.id) ? [] : group.tasks
    return [
      { kind: 'group', group, last: tasks.length === 0 },
      ...tasks.map((task, index) => ({ kind: 'task' as const, task, last: index === tasks.length - 1 })),
    ]
  })
