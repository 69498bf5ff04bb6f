import type { ConnectionValues } from './connection-form.ts'
import { pagingStyles } from './paging-styles.ts'

/** Labels of the values that a test filled in. */
export function filledLabels({ format, list_path, total_path, style }: Partial<ConnectionValues>): string[] {
  const labels: string[] = []
  if (format === 'csv') labels.push('CSV')
  if (format === 'ndjson') labels.push('JSON lines')
  if (list_path) labels.push(`the list is ${list_path}`)
  if (total_path) labels.push(`the number of all rows is ${total_path}`)
  if (style && style !== 'none') labels.push(`pages ${pagingStyles[style].toLowerCase()}`)
  return labels
}
