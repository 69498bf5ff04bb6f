import * as z from 'zod/mini'
import { DelimiterSetting, EncodingSetting } from '../connections/file-formats.ts'

/** Quote of a CSV file; `auto` detects it. */
export const QuoteSetting = z.enum(['auto', '"', "'"])

/** How a CSV file is read; `auto`: detected in the file. */
export const CsvSettings = z.strictObject({
  delimiter: DelimiterSetting,
  encoding: EncodingSetting,
  quote: QuoteSetting,
})
export type CsvSettings = z.infer<typeof CsvSettings>

/** All is detected. */
export const DETECT_CSV: CsvSettings = { delimiter: 'auto', encoding: 'auto', quote: 'auto' }
