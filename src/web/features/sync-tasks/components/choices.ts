import { queryOptions } from '@tanstack/react-query'
import { compiler } from '../../../../contract/compiler/calls.ts'
import { syncPresets } from '../../../../contract/sync-presets/calls.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { syncTaskTypes } from '../../../../contract/task-types/calls.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { call } from '../../../lib/call.ts'

const keys = {
  types: [syncTaskTypes.list.path] as const,
  presets: [syncPresets.list.path] as const,
  configs: (active: boolean) => [compiler.listConfigs.path, active] as const,
}

/** Task types for the selection. */
export const typesQuery = queryOptions({
  queryKey: keys.types,
  queryFn: ({ signal }) => call(syncTaskTypes.list, { signal }),
  meta: { failure: taskMessages.fetch_task_types_failed },
})

/** Presets for the selection. */
export const presetsQuery = queryOptions({
  queryKey: keys.presets,
  queryFn: ({ signal }) => call(syncPresets.list, { signal }),
  meta: { failure: syncTaskMessages.fetch_sync_presets_failed },
})

/** Compiler configurations: the active ones, which are offered as internal sources, or the inactive ones. */
export const configsQuery = (active: boolean) =>
  queryOptions({
    queryKey: keys.configs(active),
    queryFn: ({ signal }) =>
      call(compiler.listConfigs, { query: { is_active: active ? 'true' : 'false' }, signal }),
    meta: { failure: taskMessages.fetch_compiler_configs_failed },
  })
