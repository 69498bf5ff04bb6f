import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { compiler } from '../../../contract/compiler/calls.ts'
import { compilerMessages } from '../../../contract/compiler/client-messages.ts'
import { compilerColumns } from '../../../contract/compiler/columns.ts'
import { compilerRecords, recordOf } from '../../../contract/compiler/records.ts'
import { compilerRuns } from '../../../contract/compiler/runs.ts'
import { limits } from '../../../contract/limits.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { call, type RequestOf } from '../../lib/call.ts'
import { compileKeys } from './components/model.ts'

/** All configurations by name. */
export const configsQuery = queryOptions({
  queryKey: [compiler.listConfigs.path] as const,
  queryFn: ({ signal }) => call(compiler.listConfigs, { query: {}, signal }),
  meta: { failure: taskMessages.fetch_compiler_configs_failed },
})

/** How many records a configuration has. */
export const statsQuery = (compiler_config_id: number) =>
  queryOptions({
    queryKey: [compilerRecords.stats.path, compiler_config_id] as const,
    queryFn: ({ signal }) => call(compilerRecords.stats, { query: { compiler_config_id }, signal }),
    meta: { failure: compilerMessages.stats_failed },
  })

/** Which records, and which page of them. */
export type RecordsQuery = Omit<RequestOf<typeof compilerRecords.data>['query'], 'compiler_config_id'>

/** A page of records; the one before stays in sight until it has come. */
export const recordsQuery = (compiler_config_id: number, query: RecordsQuery) =>
  queryOptions({
    queryKey: [compilerRecords.data.path, compiler_config_id, query] as const,
    queryFn: ({ signal }) => call(compilerRecords.data, { query: { compiler_config_id, ...query }, signal }),
    placeholderData: keepPreviousData,
    meta: { failure: compilerMessages.records_failed },
  })

/** Has all read again that is known of a configuration's compiles and records. `gone`: a record that is not, since there is none any more. */
export const recordsChanged = (client: QueryClient, config_id: number, gone?: string) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [path, id, sku] }) =>
      id === config_id &&
      typeof path === 'string' &&
      path.startsWith('/api/compiler/') &&
      !(path === compilerRecords.record.path && sku === gone),
  })

/** The log of a configuration, newest line first. */
export const compileLogQuery = (id: number) =>
  queryOptions({
    queryKey: compileKeys.logs(id),
    queryFn: ({ signal }) => call(compilerRuns.logs, { params: { id }, query: {}, signal }),
    meta: { failure: taskMessages.fetch_logs_failed },
  })

/** Removes all lines of a configuration's log. */
export const clearCompileLog = (id: number) => call(compilerRuns.clearLogs, { params: { id } })

/** One record with where its values came from. */
export const recordQuery = (compiler_config_id: number, sku: string) =>
  queryOptions({
    queryKey: [compilerRecords.record.path, compiler_config_id, sku] as const,
    queryFn: ({ signal }) => call(compilerRecords.record, { ...recordOf(compiler_config_id, sku), signal }),
    meta: { failure: compilerMessages.record_failed },
  })

/** How good the records of a configuration are, and what has changed since the compile before. */
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

/** A page of SKUs that the master does not have. */
export const unmatchedQuery = (compiler_config_id: number, page: number) =>
  queryOptions({
    queryKey: [compilerRecords.unmatched.path, compiler_config_id, page] as const,
    queryFn: ({ signal }) =>
      call(compilerRecords.unmatched, { query: { compiler_config_id, ...pageOf(page) }, signal }),
    placeholderData: keepPreviousData,
    meta: { failure: compilerMessages.unmatched_failed },
  })

/** What sources of a configuration call SKUs that its master knows by others. */
export const mappingsQuery = (id: number) =>
  queryOptions({
    queryKey: [compilerRecords.skuMappings.path, id] as const,
    queryFn: ({ signal }) => call(compilerRecords.skuMappings, { params: { id }, signal }),
    meta: { failure: compilerMessages.mappings_failed },
  })

/** A page of columns that one source alone has. */
export const loneColumnsQuery = (compiler_config_id: number, page: number) =>
  queryOptions({
    queryKey: [compilerColumns.loneColumns.path, compiler_config_id, page] as const,
    queryFn: ({ signal }) =>
      call(compilerColumns.loneColumns, { query: { compiler_config_id, ...pageOf(page) }, signal }),
    placeholderData: keepPreviousData,
    meta: { failure: compilerMessages.lone_columns_failed },
  })

/** Has the next compiles take a SKU of these sources for one of the master; null takes that back. */
export const mapSku = async (
  id: number,
  sku: string,
  { sources, master_sku }: { sources: readonly number[]; master_sku: string | null },
) => {
  for (const source_task_id of sources)
    await call(compilerRecords.mapSku, { params: { id }, body: { source_task_id, sku, master_sku } })
}
