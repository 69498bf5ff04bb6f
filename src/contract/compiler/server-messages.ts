import { formatted, measured } from '../counted.ts'
import { quoted } from '../quoted.ts'

const names = (list: readonly string[]) => list.map((name) => quoted(name)).join(', ')

/** Messages of the server about compiler configurations and records. */
export const compilerServerMessages = {
  compile_waits: (changed: number, gone: number, before: number, percent: number) =>
    `This compile would change ${formatted(changed)} and remove ${formatted(gone)} of ${formatted(before)} records, more than ${percent}%. The former records stay until someone accepts the new ones.`,
  source_stale: (name: string, days: number, since: string) =>
    `The rows of ‘${quoted(name)}’ have not changed for ${days === 1 ? '1 day' : `${formatted(days)} days`}, since ${since}.`,
  records_accepted: (records: number) =>
    records === 1 ? '1 record is current now' : `${formatted(records)} records are current now`,
  records_discarded: 'The waiting records are discarded',
  blank: (fields: readonly string[]) => `Blank: ${fields.join(', ')}.`,
  errors: (fields: readonly string[]) => `Spreadsheet errors: ${fields.join(', ')}.`,
  twice: (sources: readonly string[]) => `More than once in ${names(sources)}; the first row counts.`,
  median_moved: (field: string, before: number | null, after: number | null) =>
    `The median of ${quoted(field)} was ${measured(before ?? 0)} in the last compile and is ${measured(after ?? 0)} now.`,
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
