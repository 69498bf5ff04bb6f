import { errors } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { messages } from '../../contract/messages.ts'

/** Why these files are not taken as the one CSV file to import; null when they are. `not_csv` is what to say of another kind. */
export function problemOf(files: readonly File[], not_csv: string = messages.select_csv): string | null {
  const [file] = files
  if (file === undefined) return errors.upload_missing.message
  if (files.length > 1) return errors.upload_several.message
  if (file.type !== 'text/csv' && !/\.csv$/i.test(file.name)) return not_csv
  return file.size > limits.csv_bytes ? messages.csv_too_large : null
}
