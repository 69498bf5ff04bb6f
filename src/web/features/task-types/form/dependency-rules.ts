import { fieldMessages } from '../../../../contract/field-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { closesCycle } from '../components/cycles.ts'

/** A prerequisite type and the required result of its tasks. */
export type ChosenDependency = TaskType['dependencies'][number]

type Condition = ChosenDependency['condition_type']

/** Labels of the conditions. */
export const conditions: { value: Condition; label: string }[] = [
  { value: 'success', label: taskTypeMessages.must_succeed },
  { value: 'completion', label: taskTypeMessages.must_complete },
]

/** Parses the value of a select; undefined if it is no condition. */
export const conditionOf = (text: string | null): Condition | undefined =>
  conditions.find(({ value }) => value === text)?.value

/** Input of the panel that adds a dependency: type id as a string, and condition. */
export type DependencyDraft = { type: string | null; condition: string | null }

export const noDraft: DependencyDraft = { type: null, condition: null }

/** The dependency to add, or an error. `type_id`: the edited type. */
export function addedDependency(
  { type, condition }: DependencyDraft,
  chosen: readonly ChosenDependency[],
  types: readonly Pick<TaskType, 'id' | 'name' | 'task_category' | 'dependencies'>[],
  type_id: number | undefined,
): { added: ChosenDependency } | { problem: string } {
  const on = types.find(({ id }) => String(id) === type)
  if (on === undefined) return { problem: taskTypeMessages.dependency_required }
  const condition_type = conditionOf(condition)
  if (condition_type === undefined) return { problem: taskTypeMessages.condition_required }
  const { id: dependency_task_type_id, name, task_category } = on
  if (chosen.some((one) => one.dependency_task_type_id === dependency_task_type_id))
    return { problem: fieldMessages.dependency_twice }
  if (chosen.length >= limits.dependencies_max) return { problem: fieldMessages.dependencies_many }
  if (type_id !== undefined && closesCycle(types, type_id, dependency_task_type_id))
    return { problem: taskTypeMessages.circular_dependency_short }
  return { added: { dependency_task_type_id, condition_type, name, task_category } }
}

/** Dependencies including the selected one that was not added yet, and its error. A condition without a type is ignored. */
export function withDraft(
  draft: DependencyDraft,
  chosen: readonly ChosenDependency[],
  types: Parameters<typeof addedDependency>[2],
  type_id: number | undefined,
): { dependencies: readonly ChosenDependency[]; problem: string | null } {
  if (draft.type === null) return { dependencies: chosen, problem: null }
  const result = addedDependency(draft, chosen, types, type_id)
  return 'problem' in result
    ? { dependencies: chosen, problem: result.problem }
    : { dependencies: [...chosen, result.added], problem: null }
}
