import { csvJobMessages } from '../../contract/csv-jobs/client-messages.ts'
import { limits } from '../../contract/limits.ts'

/** Size limit of a file, and messages that differ from the default ones. */
type FileRules = { max_bytes?: number; not_csv?: string; too_large?: string }

/** Reason why the files cannot be imported; null if they are exactly one valid CSV file. */
export function problemOf(
  files: readonly File[],
  {
    max_bytes = limits.csv_bytes,
    not_csv = csvJobMessages.select_csv,
    too_large = csvJobMessages.csv_too_large,
  }: FileRules = {},
): string | null {
  const [file] = files
  if (file === undefined) return csvJobMessages.upload_missing
  if (files.length > 1) return csvJobMessages.upload_several
  if (file.type !== 'text/csv' && !/\.csv$/i.test(file.name)) return not_csv
  return file.size > max_bytes ? too_large : null
}
