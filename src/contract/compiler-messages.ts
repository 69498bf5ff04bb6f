import { limits } from './limits.ts'
import { quoted } from './quoted.ts'

const names = (list: readonly string[]) => list.map((name) => quoted(name)).join(', ')

/** The part of the catalogue that is about compiled records, and how they are merged. */
export const compilerMessages = {
  blank: (fields: readonly string[]) => `Blank: ${fields.join(', ')}.`,
  errors: (fields: readonly string[]) => `Spreadsheet errors: ${fields.join(', ')}.`,
  twice: (sources: readonly string[]) => `More than once in ${names(sources)}; the first row counts.`,
  not_in_master: (sources: readonly string[]) => `Not in the master, only in ${names(sources)}.`,

  sku_padded: (sources: readonly string[]) =>
    `In ${names(sources)} the SKU is a number that its format shows with leading zeros: it matches as it is shown.`,

  // settings of a configuration
  field_blank: 'A field needs a name',
  field_twice: 'A field is listed twice',
  fields_many: `At most ${limits.compiled_fields_max.toLocaleString('en')} fields`,
  group_small: 'A group needs at least two fields',
  field_in_groups: 'A field is in two groups',
  priority_in_group: (field: string, other: string) =>
    `${quoted(field)} and ${quoted(other)} move together: only one of them may have sources of its own`,
  column_twice: 'A column of a source is listed twice',
  column_names_many: `At most ${limits.column_names_max.toLocaleString('en')} columns may have another name`,
  source_not_merged: (id: number) => `Source task ${id} is not among the sources of this configuration`,
} as const
