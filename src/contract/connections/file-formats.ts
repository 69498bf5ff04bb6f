import * as z from 'zod/mini'

/** What divides the cells of a CSV file; `auto`: it is detected by the first 100 lines. */
export const DelimiterSetting = z.enum(['auto', ',', ';', '\t', '|'])
export type DelimiterSetting = z.infer<typeof DelimiterSetting>

/** In which encoding a reply is read; `auto`: by its byte order mark, by what the reply declares, else as UTF-8. */
export const EncodingSetting = z.enum([
  'auto',
  'utf-8',
  'windows-1252',
  'windows-1250',
  'iso-8859-15',
  'shift_jis',
  'utf-16le',
  'utf-16be',
])
export type EncodingSetting = z.infer<typeof EncodingSetting>

/** How a CSV file was read: one character each, and the encoding by its WHATWG name. */
export const FileFormat = z.object({ delimiter: z.string(), encoding: z.string(), quote: z.string() })
export type FileFormat = z.infer<typeof FileFormat>

/** What delimiters are called, for people. */
export const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Vertical bar',
}

/** What encodings are called that may be set, for people. */
export const encodingNames: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Western Europe)',
  'windows-1250': 'Windows-1250 (Central Europe)',
  'iso-8859-15': 'ISO-8859-15 (Western Europe, €)',
  shift_jis: 'Shift_JIS (Japanese)',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
}

/** How a CSV file was read, in a sentence. */
export const describeFileFormat = ({ delimiter, encoding, quote }: FileFormat): string =>
  `Read as CSV: delimiter ${delimiterNames[delimiter]?.toLowerCase() ?? delimiter}, encoding ${encoding}, quote ${quote}`
