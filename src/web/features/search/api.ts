import { queryOptions } from '@tanstack/react-query'
import { compiler } from '../../../contract/compiler/calls.ts'
import { search } from '../../../contract/search/calls.ts'
import { sourceTriggers } from '../../../contract/source-tasks/triggers.ts'
import { syncTasks } from '../../../contract/sync-tasks/calls.ts'
import { call } from '../../lib/call.ts'
import type { Runnable } from './components/items.ts'

/** Tasks and types that match a text; a later search cancels this one. */
export const findQuery = (text: string) =>
  queryOptions({
    queryKey: [search.find.path, text] as const,
    queryFn: ({ signal }) => call(search.find, { query: { search: text }, signal }),
  })

/** Runs a task now. The reply has a message, except that of a compile, which comes at its end. */
export async function runTask({ category, id }: Runnable) {
  if (category === 'sync') return call(syncTasks.execute, { params: { id } })
  if (category === 'source')
    return call(sourceTriggers.triggerTask, { params: { id }, body: { trigger: 'Manual' } })
  await call(compiler.compile, { body: { config_id: id } })
  return null
}
