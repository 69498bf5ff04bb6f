import { queryOptions } from '@tanstack/react-query'
import { compiler } from '../../../../contract/compiler.ts'
import { messages } from '../../../../contract/page-messages.ts'
import { syncPresets } from '../../../../contract/sync-presets.ts'
import { syncTaskTypes } from '../../../../contract/task-types.ts'
import { call } from '../../../lib/call.ts'

const keys = {
  types: [syncTaskTypes.list.path] as const,
  presets: [syncPresets.list.path] as const,
  configs: (active: boolean) => [compiler.listConfigs.path, active] as const,
}

/** Task types to choose from. */
export const typesQuery = queryOptions({
  queryKey: keys.types,
  queryFn: ({ signal }) => call(syncTaskTypes.list, { signal }),
  meta: { failure: messages.fetch_task_types_failed },
})

/** Presets to choose from. */
export const presetsQuery = queryOptions({
  queryKey: keys.presets,
  queryFn: ({ signal }) => call(syncPresets.list, { signal }),
  meta: { failure: messages.fetch_sync_presets_failed },
})

/** Compiler configurations: the active ones, which an internal source is chosen from, or the others. */
export const configsQuery = (active: boolean) =>
  queryOptions({
    queryKey: keys.configs(active),
    queryFn: ({ signal }) =>
      call(compiler.listConfigs, { query: { is_active: active ? 'true' : 'false' }, signal }),
    meta: { failure: messages.fetch_compiler_configs_failed },
  })
