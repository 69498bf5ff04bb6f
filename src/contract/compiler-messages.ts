import { quoted } from './quoted.ts'

const names = (list: readonly string[]) => list.map(quoted).join(', ')

/** The part of the catalogue that is about compiled records. */
export const compilerMessages = {
  blank: (fields: readonly string[]) => `Blank: ${fields.join(', ')}.`,
  errors: (fields: readonly string[]) => `Spreadsheet errors: ${fields.join(', ')}.`,
  twice: (sources: readonly string[]) => `More than once in ${names(sources)}; the first row counts.`,
  not_in_master: (sources: readonly string[]) => `Not in the master, only in ${names(sources)}.`,
} as const
