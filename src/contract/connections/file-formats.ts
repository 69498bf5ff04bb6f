import * as z from 'zod/mini'
import { FileEncoding } from './file-encoding.ts'

/** Delimiter of CSV files; `auto` detects it in the first 100 lines. */
export const DelimiterSetting = z.enum(['auto', ',', ';', '\t', '|'])
export type DelimiterSetting = z.infer<typeof DelimiterSetting>

/** Encoding of a reply; `auto`: byte order mark, then the declared charset, then UTF-8. */
export const EncodingSetting = z.enum(['auto', ...FileEncoding.options])
export type EncodingSetting = z.infer<typeof EncodingSetting>

/** Detected format of a CSV file; the encoding is a WHATWG name. */
export const FileFormat = z.object({ delimiter: z.string(), encoding: z.string(), quote: z.string() })
export type FileFormat = z.infer<typeof FileFormat>

/** Display names of delimiters. */
export const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Vertical bar',
}

/** Display names of encodings. */
export const encodingNames: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Western Europe)',
  'windows-1250': 'Windows-1250 (Central Europe)',
  'iso-8859-15': 'ISO-8859-15 (Western Europe, €)',
  shift_jis: 'Shift_JIS (Japanese)',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
}

/** Description of a CSV format. */
export const describeFileFormat = ({ delimiter, encoding, quote }: FileFormat): string =>
  `Read as CSV: delimiter ${delimiterNames[delimiter]?.toLowerCase() ?? delimiter}, encoding ${encoding}, quote ${quote}`
