import { isFilePath, isUpload } from '../../../../contract/files/providers.ts'
import { limits } from '../../../../contract/limits.ts'
import type { IngestReceipt } from '../../../../contract/runs/receipts.ts'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { formatCount, formatElapsed } from '../../../lib/format.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Age of rows in minutes, hours (up to two days) or days; null: no rows. `now` in milliseconds, by the server's clock. */
export function ageText(pulled_at: string | null, now: number): string {
  if (pulled_at === null) return sourceMessages.no_data_yet
  const age = Math.max(0, now - Date.parse(pulled_at))
  if (age < HOUR_MS) return sourceMessages.minutes_old(Math.max(1, Math.floor(age / MINUTE_MS)))
  if (age < 2 * DAY_MS) return sourceMessages.hours_old(Math.floor(age / HOUR_MS))
  return sourceMessages.days_old(Math.floor(age / DAY_MS))
}

/** Whether rows are old enough to be marked. */
export const isStale = (pulled_at: string | null, now: number) =>
  pulled_at !== null && now - Date.parse(pulled_at) >= limits.source_stale_hours * HOUR_MS

/** Labels of the source types; the place of a sheet may be a file. */
export const originNames: Record<SourceTask['source_type'], string> = {
  sheet: taskMessages.sheet_or_file,
  api: 'API',
  database: 'Database',
  internal: taskMessages.internal_db,
}

/** What keeps the rows that a task reads. */
type SourceKind = 'google' | 'folder' | 'upload' | Exclude<SourceTask['source_type'], 'sheet'>

export function kindOf({ source_type, spreadsheet_id }: SourceTask): SourceKind {
  if (source_type !== 'sheet') return source_type
  if (isUpload(spreadsheet_id)) return 'upload'
  return isFilePath(spreadsheet_id) ? 'folder' : 'google'
}

/** Labels of what keeps the rows. */
export const kindNames: Readonly<Record<SourceKind, string>> = {
  ...originNames,
  google: taskMessages.google_sheet,
  folder: taskMessages.in_folder,
  upload: taskMessages.uploaded,
}

/** Source of the rows: spreadsheet and sheet, or the source type and its name. */
export function originOf(task: SourceTask): string {
  if (task.source_type === 'sheet')
    return [task.spreadsheet_name || kindNames[kindOf(task)], task.sheet_name].filter(Boolean).join(' / ')
  const named = task.origin_name || task.source_identifier || sourceMessages.no_origin
  return `${originNames[task.source_type]} / ${named}`
}

/** Receipt of a successful run. `waiting`: rows of the task need approval, which receipts of earlier versions do not say. */
export function formatReceipt(receipt: IngestReceipt, waiting = false): string {
  const { rows, columns, requests, hash, duration_ms, account } = receipt
  const fetched = sourceMessages.pulled(
    formatCount(rows, 'row'),
    formatCount(columns, 'column'),
    formatElapsed(duration_ms / 1000),
    formatCount(requests, 'request'),
  )
  return [
    `${fetched}${account && sourceMessages.pulled_as(account)}.`,
    resultOf(receipt, waiting),
    `${sourceMessages.checksum(hash.slice(0, 12))}.`,
  ].join(' ')
}

function resultOf({ is_changed, needs_approval }: IngestReceipt, waiting: boolean): string {
  if (is_changed) return sourceMessages.pulled_others
  return (needs_approval ?? waiting) ? sourceMessages.pulled_waiting : sourceMessages.pulled_same
}
