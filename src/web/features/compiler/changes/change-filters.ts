import { infiniteQueryOptions } from '@tanstack/react-query'
import { ChangeFilters, compilerChanges } from '../../../../contract/compiler/changes.ts'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import { call } from '../../../lib/call.ts'

const { compiler_config_id: _, ...fields } = ChangeFilters.shape
export const changeFilterNames = Object.keys(fields) as (keyof typeof fields)[]

/** Filters of changes as in the address; a missing one matches all. */
export type WantedChanges = Partial<Record<keyof typeof fields, string>>

/** Reads filters from the address; invalid values are ignored. */
export const readChangeFilters = (params: URLSearchParams): WantedChanges =>
  Object.fromEntries(
    changeFilterNames.flatMap((name) => {
      const value = params.get(name)
      return value && fields[name].safeParse(value).success ? [[name, value]] : []
    }),
  )

/** Of these filters only which compile they are about. */
export const unfiltered = ({ waiting }: WantedChanges): WantedChanges => (waiting ? { waiting } : {})

/** Path of the changes of a configuration's last compile with these filters. */
export function changesPath(config_id: number, wanted: WantedChanges = {}): string {
  const params = new URLSearchParams(wanted)
  return `/compiler/${config_id}/changes${params.size > 0 ? `?${params}` : ''}`
}

/** What the last compile changed, in pages. */
export const changesQuery = (compiler_config_id: number, wanted: WantedChanges) =>
  infiniteQueryOptions({
    queryKey: [compilerChanges.changes.path, compiler_config_id, wanted] as const,
    queryFn: ({ pageParam, signal }) =>
      call(compilerChanges.changes, {
        query: { ...queryOf(compiler_config_id, wanted), from: String(pageParam), limit: '100' },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    meta: { failure: compilerMessages.changes_failed },
  })

/** Query parameters of both calls. */
export const queryOf = (compiler_config_id: number, { kind, waiting, ...wanted }: WantedChanges) => {
  const found = fields.kind.safeParse(kind)
  return {
    compiler_config_id,
    ...wanted,
    ...(found.data && { kind: found.data }),
    ...(waiting === 'true' && { waiting: 'true' as const }),
  }
}
