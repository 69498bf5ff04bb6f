import { CompiledDataQuery } from '../../../../contract/compiler/records.ts'
import { limits } from '../../../../contract/limits.ts'
import type { RecordsQuery } from '../api.ts'

/** Filters of records; a missing one matches all. */
export type RecordFilters = Omit<RecordsQuery, 'limit' | 'offset'>
export type FilterName = keyof RecordFilters

const { compiler_config_id: _config, limit: _limit, offset: _offset, ...filters } = CompiledDataQuery.shape
const names = Object.keys(filters) as FilterName[]

/** Reads filters from the URL; invalid values are ignored. */
export const readRecordFilters = (params: URLSearchParams): RecordFilters =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = params.get(name)
      return value && filters[name].safeParse(value).success ? [[name, value]] : []
    }),
  )

/** URL parameters with these filters instead of the current ones, on the first page. */
export function withRecordFilters(before: URLSearchParams, wanted: RecordFilters): URLSearchParams {
  const params = new URLSearchParams(before)
  for (const name of [...names, 'page']) params.delete(name)
  for (const name of names) {
    const value = wanted[name]
    if (value) params.set(name, String(value))
  }
  return params
}

/** Page number in the URL, from 1. */
export function readPage(params: URLSearchParams): number {
  const page = Number(params.get('page'))
  return Number.isInteger(page) && page > 0 ? page : 1
}

/** Query of one page of records. */
export const pageQuery = (wanted: RecordFilters, page: number): RecordsQuery => ({
  ...wanted,
  limit: String(limits.compiled_page_size),
  offset: String((page - 1) * limits.compiled_page_size),
})

/** Path of the record list of a configuration with these filters. */
export function recordsPath(config_id: number, wanted: RecordFilters = {}): string {
  const params = new URLSearchParams({ tab: 'data', config: String(config_id) })
  return `/compiler?${withRecordFilters(params, wanted)}`
}
