import { compiler } from '../../contract/compiler/calls.ts'
import { sourceTasks } from '../../contract/source-tasks/calls.ts'
import { syncTasks } from '../../contract/sync-tasks/calls.ts'
import type { TaskCategory } from '../../contract/tasks/schemas.ts'
import type { CallAs } from './call-as.ts'
import type { Shown } from './marked-text.ts'

type Owned = { owner: { name: string } | null; tags: string[]; notes: string }

/** Whose a task is, its tags and its notes; a compiler task by the id of its configuration. Null if it does not exist. */
export async function ownershipOfTask(
  call: CallAs,
  { category, id }: { category: TaskCategory; id: number },
): Promise<Shown> {
  const task = await read(call, category, id)
  return task && { owner: task.owner?.name ?? null, tags: task.tags, notes: task.notes }
}

async function read(call: CallAs, category: TaskCategory, id: number): Promise<Owned | null> {
  if (category === 'sync') return call(syncTasks.get, { params: { id } })
  if (category === 'source') return call(sourceTasks.get, { params: { id } })
  return (await call(compiler.listConfigs, {})).find((config) => config.id === id) ?? null
}
