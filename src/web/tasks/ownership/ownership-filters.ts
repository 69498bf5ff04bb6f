import { tagKey } from '../../../contract/tasks/ownership.ts'
import type { Task } from '../task-model.ts'

/** Filter by owner: the signed-in user, nobody, or the id of a user; null for no restriction. */
export type OwnerFilter = string | null

/** Reads the filter from a URL parameter; an invalid value is no restriction. */
export const readOwner = (text: string | null): OwnerFilter =>
  text !== null && /^(?:me|nobody|[1-9]\d{0,9})$/.test(text) ? text : null

/** Whether a task belongs to whom the filter names. `own_id`: the signed-in user. */
export const passesOwner = (
  { owner }: Pick<Task, 'owner'>,
  wanted: OwnerFilter,
  own_id: number | null,
): boolean => {
  if (wanted === null) return true
  if (wanted === 'nobody') return owner === null
  return owner !== null && owner.id === (wanted === 'me' ? own_id : Number(wanted))
}

/** Whether a task has all of these tags, without regard to case. */
export const passesTags = ({ tags }: Pick<Task, 'tags'>, wanted: readonly string[]): boolean =>
  wanted.every((tag) => tags.some((own) => tagKey(own) === tagKey(tag)))

/** All tags of the tasks in alphabetical order; of those that differ only in case, the first. */
export function tagsOf(tasks: readonly Pick<Task, 'tags'>[]): string[] {
  const tags = new Map<string, string>()
  for (const task of tasks)
    for (const tag of task.tags) if (!tags.has(tagKey(tag))) tags.set(tagKey(tag), tag)
  return [...tags.values()].sort((one, other) => one.localeCompare(other))
}

/** All owners of the tasks by name. */
export function ownersOf(tasks: readonly Pick<Task, 'owner'>[]): { id: number; name: string }[] {
  const owners = new Map(tasks.flatMap(({ owner }) => (owner ? [[owner.id, owner.name]] : [])))
  return [...owners]
    .map(([id, name]) => ({ id, name }))
    .sort((one, other) => one.name.localeCompare(other.name))
}
