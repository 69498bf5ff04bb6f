import { consolidateServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'
import type { Row } from '../../../../contract/tables.ts'
import { RunFailure } from '../../../engine/types.ts'
import { plainName } from '../../../snapshots/column-names.ts'

/** A source and its header row. */
export type TitledHeader = { title: string; header: Row }

/** The header row of several sources, and for each of them its column by column of that row; null: it has none. */
export type ConsolidatedHeader = { header: Row; columns: (number | null)[][] }

const nameOf = (cell: Row[number]) => plainName(String(cell ?? ''))

/**
 * Matches the columns of sources by their headers. Columns stand in the order in which they appear first; those without a header are left
 * out. Throws RunFailure if two columns of a source have one name, or a source has no header.
 */
export function consolidateHeaders(sources: readonly TitledHeader[]): ConsolidatedHeader {
  const places = new Map<string, number>()
  const header: Row = []
  for (const source of sources) {
    const names = source.header.map(nameOf).filter((name) => name !== '')
    if (names.length === 0) throw new RunFailure(messages.no_header(source.title), { retryable: false })
    const twice = new Set(names.filter((name, index) => names.indexOf(name) < index))
    if (twice.size > 0)
      throw new RunFailure(messages.header_twice(source.title, [...twice]), { retryable: false })
    for (const cell of source.header) {
      const name = nameOf(cell)
      if (name === '' || places.has(name)) continue
      places.set(name, header.length)
      header.push(cell)
    }
  }
  return {
    header,
    columns: sources.map((source) => {
      const own = new Map(source.header.map((cell, column) => [nameOf(cell), column]))
      return [...places.keys()].map((name) => own.get(name) ?? null)
    }),
  }
}
