import { type RunPage, runs } from '../../contract/runs/calls.ts'
import type { TaskCategory } from '../../contract/tasks/schemas.ts'
import type { CallAs } from './call-as.ts'

/** The newest runs of one task. */
export function runsOfTask(
  call: CallAs,
  { category, id }: { category: TaskCategory; id: number },
  limit: number,
): Promise<RunPage> {
  const lists = { sync: runs.ofSyncTask, source: runs.ofSourceTask, compiler: runs.ofCompilerConfig }
  return call(lists[category], { params: { id }, query: { limit } })
}
