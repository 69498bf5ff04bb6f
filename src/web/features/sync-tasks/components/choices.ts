import { queryOptions } from '@tanstack/react-query'
import { compiler } from '../../../../contract/compiler.ts'
import { messages } from '../../../../contract/messages.ts'
import { serviceAccount } from '../../../../contract/service-account.ts'
import { spreadsheets } from '../../../../contract/spreadsheets.ts'
import { syncPresets } from '../../../../contract/sync-presets.ts'
import { syncTaskTypes } from '../../../../contract/task-types.ts'
import { users } from '../../../../contract/users.ts'
import { call } from '../../../lib/call.ts'

const keys = {
  types: [syncTaskTypes.list.path] as const,
  presets: [syncPresets.list.path] as const,
  configs: (active: boolean) => [compiler.listConfigs.path, active] as const,
  users: [users.list.path] as const,
  service_account: [serviceAccount.read.path] as const,
  spreadsheets: (search: string) => [spreadsheets.list.path, search] as const,
  spreadsheet: (id: string) => [spreadsheets.get.path, id] as const,
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

/** Everybody who has signed in, to choose accounts from. */
export const usersQuery = queryOptions({
  queryKey: keys.users,
  queryFn: ({ signal }) => call(users.list, { signal }),
  meta: { failure: messages.fetch_users_failed },
})

/** The installation's own account, which tasks may name once an administrator allows it. */
export const serviceAccountQuery = queryOptions({
  queryKey: keys.service_account,
  queryFn: ({ signal }) => call(serviceAccount.read, { signal }),
  meta: { failure: messages.load_service_account_failed },
})

/** Spreadsheets in the person's Drive whose name has the words. */
export const spreadsheetsQuery = (search: string) =>
  queryOptions({
    queryKey: keys.spreadsheets(search),
    queryFn: ({ signal }) => call(spreadsheets.list, { query: search ? { search } : {}, signal }),
    staleTime: 60_000,
  })

/** Name and tabs of a spreadsheet. */
export const spreadsheetQuery = (spreadsheet_id: string) =>
  queryOptions({
    queryKey: keys.spreadsheet(spreadsheet_id),
    queryFn: ({ signal }) => call(spreadsheets.get, { params: { spreadsheet_id }, signal }),
    staleTime: 60_000,
    retry: false,
  })
