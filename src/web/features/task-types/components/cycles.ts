import type { TaskType } from '../../../../contract/task-types/calls.ts'

type Node = Pick<TaskType, 'id' | 'dependencies'>

/** Whether a dependency on `on` would close a cycle. Follows all dependencies of `on`. */
export function closesCycle(types: readonly Node[], type_id: number, on: number): boolean {
  const known = new Map(types.map((type) => [type.id, type]))
  const reached = new Set([on])
  for (const id of reached)
    for (const { dependency_task_type_id } of known.get(id)?.dependencies ?? [])
      reached.add(dependency_task_type_id)
  return reached.has(type_id)
}
