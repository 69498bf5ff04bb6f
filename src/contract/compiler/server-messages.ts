import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'

const names = (list: readonly string[]) => list.map((name) => quoted(name)).join(', ')

/** What the server answers on compiler configurations and says of records. */
export const compilerServerMessages = {
  blank: (fields: readonly string[]) => `Blank: ${fields.join(', ')}.`,
  errors: (fields: readonly string[]) => `Spreadsheet errors: ${fields.join(', ')}.`,
  twice: (sources: readonly string[]) => `More than once in ${names(sources)}; the first row counts.`,
  not_in_master: (sources: readonly string[]) => `Not in the master, only in ${names(sources)}.`,
  sku_padded: (sources: readonly string[]) =>
    `In ${names(sources)} the SKU is a number that its format shows with leading zeros: it matches as it is shown.`,

  // settings of a configuration
  source_not_merged: (id: number) => `Source task ${id} is not among the sources of this configuration`,

  // adding and editing
  master_not_source: 'The master source must be one of the sources',
  config_name_taken: 'A compiler configuration with this name already exists.',

  // readiness of internal sources
  config_inactive: (name: string) => `The compiler configuration “${name}” is inactive`,
  config_compiled: (name: string, records: number) =>
    `${formatted(records)} compiled ${records === 1 ? 'record' : 'records'} of “${name}”`,
  config_not_compiled: (name: string) => `The compiler configuration “${name}” has no compiled records yet`,
} as const
