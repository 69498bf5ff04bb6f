import { delimiterNames, encodingNames } from '../connections/file-formats.ts'
import type { WriteSettings } from '../rows/write-settings.ts'
import { uploadMessages } from '../uploads/client-messages.ts'

/** Texts of the fields that say how a CSV file is written. */
export const csvTargetMessages = {
  as_it_is: 'As the file has it',
  delimiter: 'Delimiter of the CSV file',
  delimiter_hint:
    'A new file has commas, a .tsv file tabs. Excel in many European languages expects semicolons.',
  encoding: 'Encoding of the CSV file',
  encoding_hint:
    'A new file is UTF-8 without a byte order mark. Excel recognises UTF-8 by the mark. Both apply when the file is next written.',
} as const

/** Labels of the choices that say how a CSV file is written. */
export const csvTargetLabels: {
  [Field in 'target_csv_delimiter' | 'target_csv_encoding']: Record<NonNullable<WriteSettings[Field]>, string>
} = {
  target_csv_delimiter: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' },
  target_csv_encoding: { 'utf-8': 'UTF-8', 'utf-8-bom': 'UTF-8 with a byte order mark' },
}

/** Texts of the fields that say how a CSV file is read. */
export const csvSourceMessages = {
  as_found: 'As it is found in the file',
  delimiter: 'Delimiter of the CSV source',
  encoding: 'Encoding of the CSV source',
  quote: 'Quote of the CSV source',
  of_all: 'For all CSV files among the sources',
} as const

const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...csvTargetLabels,
  source_csv_delimiter: delimiterNames,
  source_csv_encoding: encodingNames,
  source_csv_quote: uploadMessages.quotes,
}

/** Label of a choice that says how a CSV file is read or written, by setting and value; undefined: another setting. */
export const csvTargetLabel = (setting: string, value: string): string | undefined => labels[setting]?.[value]
