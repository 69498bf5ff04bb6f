import type { CellValue } from '../../../../contract/tables.ts'
import type { TabIdentity } from '../../../connectors/connector.ts'
import type { Definition } from '../definition.ts'
import type { CopySource } from './consolidated-source.ts'
import type { RowOrigin } from './projection.ts'

type Named = Pick<Definition, 'source_name' | 'start_row' | 'further_sources'>

/**
 * Where the data rows of a source come from, by their number. Rows of a sheet have the numbers that the sheet shows; compiled records are
 * counted from 1.
 */
export function originsOf(
  { source_name, start_row, further_sources }: Named,
  { identity, further, partAt }: Pick<CopySource, 'identity' | 'further' | 'partAt'>,
  time: CellValue,
): (row: number) => RowOrigin {
  const identities = [identity, ...further]
  const configs = [source_name, ...further_sources.map((source) => source.source_name)]
  const names = sourceNames(identities, configs)
  const origins = names.map((name, place) => ({ name, header_row: identities[place] ? start_row : 0, time }))
  const [first = { name: '', header_row: 0, time }] = origins
  if (further.length === 0) return () => first
  return (row) => {
    const part = partAt(row)
    const origin = origins[part?.source ?? 0] ?? first
    return { ...origin, header_row: origin.header_row - ((part?.first_row ?? 1) - 1) }
  }
}

/** The shortest names that differ: of tabs and configurations, else of spreadsheets, else of both. */
function sourceNames(identities: readonly (TabIdentity | null)[], configs: readonly string[]): string[] {
  const by = (name: (tab: TabIdentity) => string) =>
    identities.map((tab, place) => (tab ? name(tab) : (configs[place] ?? '')))
  const tabs = by((tab) => tab.sheet_name)
  const spreadsheets = by((tab) => tab.spreadsheet_name)
  const differ = (names: readonly string[]) => new Set(names).size === names.length
  if (differ(tabs)) return tabs
  return differ(spreadsheets) ? spreadsheets : by((tab) => `${tab.spreadsheet_name} / ${tab.sheet_name}`)
}
