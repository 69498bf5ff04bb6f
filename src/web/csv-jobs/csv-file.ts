import { csvJobMessages } from '../../contract/csv-jobs/client-messages.ts'
import { limits } from '../../contract/limits.ts'

/** How large a file may be, and what to say of one that is larger or of another kind, where that differs. */
type FileRules = { max_bytes?: number; not_csv?: string; too_large?: string }

/** Why these files are not taken as the one CSV file to import; null when they are. */
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
