import { useQueryClient } from '@tanstack/react-query'
import { refetchTask } from '../cache/task-queries.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { useActOnFailures } from './act-on-failures.ts'

/** Acts on the failure of one task of the surrounding category. */
export function useActOnFailureOf({ id }: Task) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  const category = descriptor.stream === 'tasks' ? 'sync' : 'source'
  return useActOnFailures({ ids: [{ category, id }] }, () => refetchTask(client, descriptor, id))
}
