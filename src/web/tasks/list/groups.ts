import { listDisplayMessages as messages } from '../../../contract/list-display/client-messages.ts'
import { tagKey } from '../../../contract/tasks/ownership.ts'
import { ownersOf, tagsOf } from '../ownership/ownership-filters.ts'
import type { Task, TaskModel } from '../task-model.ts'
import type { ListDisplay } from './list-display.ts'

/** Some tasks of a list, in order; `type`: it is a type, whose id is null for the tasks without one. */
export type Group = { key: string; name: string; tasks: Task[]; type: { id: number | null } | null }
export type TypeGroup = Group & { type: { id: number | null } }

/** Groups tasks by type, in the order of the types. */
export function groupTasks(model: TaskModel, tasks: readonly Task[]): TypeGroup[] {
  const groups = new Map<number | null, TypeGroup>()
  for (const task of tasks) {
    const { id, name } = model.groupOf(task)
    const group = groups.get(id)
    if (group) group.tasks.push(task)
    else groups.set(id, { key: `type ${id}`, name, tasks: [task], type: { id } })
  }
  return [...groups.values()]
}

/** Groups tasks as a user has chosen. A task with several tags is in the groups of all of them. */
export function groupTasksBy(model: TaskModel, tasks: readonly Task[], by: ListDisplay['group']): Group[] {
  if (by === 'type') return groupTasks(model, tasks)
  const names =
    by === 'owner'
      ? ownersOf(tasks).map(({ id, name }) => ({ key: `owner ${id}`, name }))
      : tagsOf(tasks).map((tag) => ({ key: `tag ${tagKey(tag)}`, name: tag }))
  const rest = { key: `no ${by}`, name: by === 'owner' ? messages.no_owner : messages.no_tag }
  const groups = new Map(
    [...names, rest].map((one) => [one.key, { ...one, tasks: [] as Task[], type: null }]),
  )
  for (const task of tasks) for (const key of keysOf(task, by)) groups.get(key)?.tasks.push(task)
  return [...groups.values()].filter((group) => group.tasks.length > 0)
}

function keysOf({ owner, tags }: Task, by: 'owner' | 'tag'): string[] {
  if (by === 'owner') return [owner ? `owner ${owner.id}` : 'no owner']
  return tags.length > 0 ? [...new Set(tags.map((tag) => `tag ${tagKey(tag)}`))] : ['no tag']
}

/** One line of the list: the header of a group, or a task in it; `last` closes the group's card. */
export type Line =
  | { kind: 'group'; key: string; group: Group; last: boolean }
  | { kind: 'task'; key: string; task: Task; last: boolean }

/** All lines from top to bottom; a collapsed group has only its header. */
export const linesOf = (groups: readonly Group[], folded: ReadonlySet<string>): Line[] =>
  groups.flatMap((group): Line[] => {
    const tasks = folded.has(group.key) ? [] : group.tasks
    return [
      { kind: 'group', key: group.key, group, last: tasks.length === 0 },
      ...tasks.map((task, index) => ({
        kind: 'task' as const,
        key: `${group.key}/${task.id}`,
        task,
        last: index === tasks.length - 1,
      })),
    ]
  })
