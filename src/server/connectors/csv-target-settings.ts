import { z } from 'zod'

/** How a CSV target is written. What is null stays as it is in the file; a new one has commas (.tsv: tabs) and no byte order mark. */
export const CsvTargetSettings = z.object({
  /** Spreadsheet programs of many European languages expect `;`. */
  delimiter: z.enum([',', ';', '\t', '|']).nullable(),
  /** Whether the file begins with the mark by which Excel recognises UTF-8. */
  byte_order_mark: z.boolean().nullable(),
})
export type CsvTargetSettings = z.infer<typeof CsvTargetSettings>
