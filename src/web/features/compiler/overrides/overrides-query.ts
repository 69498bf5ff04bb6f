import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import { call } from '../../../lib/call.ts'

const states = ['live', 'active', 'review', 'waiting', 'ended'] as const

/** Filters and page of the list of overrides, in the URL. */
export type OverrideFilters = {
  state?: (typeof states)[number] | undefined
  field?: string | undefined
  author?: string | undefined
  text?: string | undefined
  page: number
}

/** The overrides of a configuration that match the filters, and their number. */
export type FilteredOverrides = { config_id: number; filters: Omit<OverrideFilters, 'page'>; total: number }

/** Reads the filters from the URL; invalid values are ignored. */
export function readOverrideFilters(params: URLSearchParams): OverrideFilters {
  const page = Number(params.get('page'))
  return {
    state: states.find((state) => state === params.get('state')),
    field: params.get('field') ?? undefined,
    author: params.get('author') ?? undefined,
    text: params.get('q') ?? undefined,
    page: Number.isInteger(page) && page > 1 ? page : 1,
  }
}

/** The filters as parameters of the URL. */
export function overrideParams({ state, field, author, text, page }: OverrideFilters): URLSearchParams {
  const all = { state, field, author, q: text, page: page > 1 ? String(page) : undefined }
  return new URLSearchParams(
    Object.entries(all).flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : [])),
  )
}

/** A page of the overrides of a configuration. */
export const overridesQuery = (id: number, { page, ...filters }: OverrideFilters) =>
  queryOptions({
    queryKey: [compilerOverrides.list.path, id, filters, page] as const,
    queryFn: ({ signal }) =>
      call(compilerOverrides.list, {
        params: { id },
        query: { ...filters, offset: String((page - 1) * limits.compiled_page_size) },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { failure: overrideMessages.load_failed },
  })
