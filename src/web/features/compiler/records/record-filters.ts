import { CompiledDataQuery } from '../../../../contract/compiler/records.ts'
import { limits } from '../../../../contract/limits.ts'
import type { RecordsQuery } from '../api.ts'

/** Which records a person looks for; a filter that is not there lets all through. */
export type RecordFilters = Omit<RecordsQuery, 'limit' | 'offset'>
export type FilterName = keyof RecordFilters

const { compiler_config_id: _config, limit: _limit, offset: _offset, ...filters } = CompiledDataQuery.shape
const names = Object.keys(filters) as FilterName[]

/** Filters that an address holds; what it says wrongly is ignored. */
export const readRecordFilters = (params: URLSearchParams): RecordFilters =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = params.get(name)
      return value && filters[name].safeParse(value).success ? [[name, value]] : []
    }),
  )

/** An address with these filters in place of its own, from their first page on. */
export function withRecordFilters(before: URLSearchParams, wanted: RecordFilters): URLSearchParams {
  const params = new URLSearchParams(before)
  for (const name of [...names, 'page']) params.delete(name)
  for (const name of names) {
    const value = wanted[name]
    if (value) params.set(name, String(value))
  }
  return params
}

/** The page that an address names, counted from 1. */
export function readPage(params: URLSearchParams): number {
  const page = Number(params.get('page'))
  return Number.isInteger(page) && page > 0 ? page : 1
}

/** What the server is asked for a page of records. */
export const pageQuery = (wanted: RecordFilters, page: number): RecordsQuery => ({
  ...wanted,
  limit: String(limits.compiled_page_size),
  offset: String((page - 1) * limits.compiled_page_size),
})

/** Path of the list of a configuration's records with these filters. */
export function recordsPath(config_id: number, wanted: RecordFilters = {}): string {
  const params = new URLSearchParams({ tab: 'data', config: String(config_id) })
  return `/compiler?${withRecordFilters(params, wanted)}`
}
