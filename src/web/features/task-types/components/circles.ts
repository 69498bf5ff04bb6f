import type { TaskType } from '../../../../contract/task-types/calls.ts'

type Node = Pick<TaskType, 'id' | 'dependencies'>

/** Whether a type would come to wait for itself if it depended on `on`: all that follows from there is gone through. */
export function closesCircle(types: readonly Node[], type_id: number, on: number): boolean {
  const known = new Map(types.map((type) => [type.id, type]))
  const reached = new Set([on])
  for (const id of reached)
    for (const { dependency_task_type_id } of known.get(id)?.dependencies ?? [])
      reached.add(dependency_task_type_id)
  return reached.has(type_id)
}
