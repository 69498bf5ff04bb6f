import type { ConnectionValues } from './connection-form.ts'
import { pagingStyles } from './paging-styles.ts'

/** What was put into a form, in words. */
export function filledWords({ format, list_path, total_path, style }: Partial<ConnectionValues>): string[] {
  const words: string[] = []
  if (format === 'csv') words.push('CSV')
  if (format === 'ndjson') words.push('JSON lines')
  if (list_path) words.push(`the list is ${list_path}`)
  if (total_path) words.push(`the number of all rows is ${total_path}`)
  if (style && style !== 'none') words.push(`pages ${pagingStyles[style].toLowerCase()}`)
  return words
}
