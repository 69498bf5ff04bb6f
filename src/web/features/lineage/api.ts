import { queryOptions } from '@tanstack/react-query'
import { lineage } from '../../../contract/lineage/calls.ts'
import { call } from '../../lib/call.ts'

/** Names of the query parameters of a cell, in the address of the page as in the call. */
export const CELL_PARAMS = ['link', 'task_id', 'row', 'column', 'compiler_config_id', 'sku', 'field'] as const

/** A cell as the address names it. */
export type Asked = Partial<Record<(typeof CELL_PARAMS)[number], string>>

/** The cell that the address names; null: none. */
export function askedIn(params: URLSearchParams): Asked | null {
  const asked = Object.fromEntries(
    CELL_PARAMS.flatMap((name) => {
      const value = params.get(name)
      return value === null || value === '' ? [] : [[name, value] as const]
    }),
  )
  return Object.keys(asked).length === 0 ? null : asked
}

/** Where a cell comes from. Runs change it, so it is read anew on each visit. */
export const lineageQuery = (asked: Asked) =>
  queryOptions({
    queryKey: [lineage.find.path, asked] as const,
    queryFn: ({ signal }) => call(lineage.find, { query: asked, signal }),
    staleTime: 0,
    retry: false,
    meta: {},
  })

/** The same, with the cell as its spreadsheet has it now. */
export const checkCell = (asked: Asked) => call(lineage.find, { query: { ...asked, check: 'true' } })
