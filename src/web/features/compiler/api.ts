import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { compiler } from '../../../contract/compiler/calls.ts'
import { compilerMessages } from '../../../contract/compiler/client-messages.ts'
import { compilerColumns } from '../../../contract/compiler/columns.ts'
import { compilerRecords, recordOf } from '../../../contract/compiler/records.ts'
import { compilerRuns } from '../../../contract/compiler/runs.ts'
import { limits } from '../../../contract/limits.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { CallError, call, type RequestOf } from '../../lib/call.ts'

/** All configurations by name. */
export const configsQuery = queryOptions({
  queryKey: [compiler.listConfigs.path] as const,
  queryFn: ({ signal }) => call(compiler.listConfigs, { query: {}, signal }),
  meta: { failure: taskMessages.fetch_compiler_configs_failed },
})

/** How the notes of a configuration are saved and read again. Throws CallError. */
export const notesCalls = (client: QueryClient, id: number) => ({
  save: (body: { notes: string; updated_at: string }) =>
    call(compiler.updateConfig, { params: { id }, body }),
  readFresh: async () => {
    const configs = await client.fetchQuery({ ...configsQuery, staleTime: 0 })
    const config = configs.find((one) => one.id === id)
    if (!config) throw new CallError(404, compilerMessages.missing)
    return config
  },
  onSaved: () => client.invalidateQueries(configsQuery),
})

/** Record counts of a configuration. */
export const statsQuery = (compiler_config_id: number) =>
  queryOptions({
    queryKey: [compilerRecords.stats.path, compiler_config_id] as const,
    queryFn: ({ signal }) => call(compilerRecords.stats, { query: { compiler_config_id }, signal }),
    meta: { failure: compilerMessages.stats_failed },
  })

/** Filters and page of records. */
export type RecordsQuery = Omit<RequestOf<typeof compilerRecords.data>['query'], 'compiler_config_id'>

/** A page of records. The previous page stays visible while the next one loads. */
export const recordsQuery = (compiler_config_id: number, query: RecordsQuery) =>
  queryOptions({
    queryKey: [compilerRecords.data.path, compiler_config_id, query] as const,
    queryFn: ({ signal }) => call(compilerRecords.data, { query: { compiler_config_id, ...query }, signal }),
    placeholderData: keepPreviousData,
    meta: { failure: compilerMessages.records_failed },
  })

/** Invalidates everything that shows a configuration's compiles and records. Query `gone`, of a deleted record, is not refetched. */
export const recordsChanged = (client: QueryClient, config_id: number, gone?: string) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [path, id, sku] }) =>
      id === config_id &&
      typeof path === 'string' &&
      path.startsWith('/api/compiler/') &&
      !(path === compilerRecords.record.path && sku === gone),
  })

/** Deletes the log of a configuration. */
export const clearCompileLog = (id: number) => call(compilerRuns.clearLogs, { params: { id } })

/** One record, with the source of each value. */
export const recordQuery = (compiler_config_id: number, sku: string) =>
  queryOptions({
    queryKey: [compilerRecords.record.path, compiler_config_id, sku] as const,
    queryFn: ({ signal }) => call(compilerRecords.record, { ...recordOf(compiler_config_id, sku), signal }),
    meta: { failure: compilerMessages.record_failed },
  })

/** Quality of a configuration's records, and the changes since the previous compile. */
export const qualityQuery = (compiler_config_id: number) =>
  queryOptions({
    queryKey: [compilerRecords.quality.path, compiler_config_id] as const,
    queryFn: ({ signal }) => call(compilerRecords.quality, { query: { compiler_config_id }, signal }),
    meta: { failure: compilerMessages.quality_failed },
  })

const pageOf = (page: number) => ({
  limit: limits.compiled_page_size,
  offset: (page - 1) * limits.compiled_page_size,
})

/** A page of SKUs that are missing from the master. */
export const unmatchedQuery = (compiler_config_id: number, page: number) =>
  queryOptions({
    queryKey: [compilerRecords.unmatched.path, compiler_config_id, page] as const,
    queryFn: ({ signal }) =>
      call(compilerRecords.unmatched, { query: { compiler_config_id, ...pageOf(page) }, signal }),
    placeholderData: keepPreviousData,
    meta: { failure: compilerMessages.unmatched_failed },
  })

/** SKUs of sources that are mapped to a master SKU. */
export const mappingsQuery = (id: number) =>
  queryOptions({
    queryKey: [compilerRecords.skuMappings.path, id] as const,
    queryFn: ({ signal }) => call(compilerRecords.skuMappings, { params: { id }, signal }),
    meta: { failure: compilerMessages.mappings_failed },
  })

/** A page of columns that only one source has. */
export const loneColumnsQuery = (compiler_config_id: number, page: number) =>
  queryOptions({
    queryKey: [compilerColumns.loneColumns.path, compiler_config_id, page] as const,
    queryFn: ({ signal }) =>
      call(compilerColumns.loneColumns, { query: { compiler_config_id, ...pageOf(page) }, signal }),
    placeholderData: keepPreviousData,
    meta: { failure: compilerMessages.lone_columns_failed },
  })

/** Maps a SKU of these sources to a master SKU, from the next compile on; null removes the mapping. */
export const mapSku = async (
  id: number,
  sku: string,
  { sources, master_sku }: { sources: readonly number[]; master_sku: string | null },
) => {
  for (const source_task_id of sources)
    await call(compilerRecords.mapSku, { params: { id }, body: { source_task_id, sku, master_sku } })
}
