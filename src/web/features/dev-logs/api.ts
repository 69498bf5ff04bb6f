import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { devLogs, type LogLine } from '../../../contract/dev-logs/calls.ts'
import { devLogMessages } from '../../../contract/dev-logs/client-messages.ts'

import { CallError, call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'

const keys = {
  files: [devLogs.files.path] as const,
  lines: (file: string) => [devLogs.read.path, file] as const,
}

const isStatus = (error: unknown, status: number) => error instanceof CallError && error.status === status

/** Log files of the server. */
export const filesQuery = queryOptions({
  queryKey: keys.files,
  queryFn: ({ signal }) => call(devLogs.files, { signal }),
  meta: { failure: filesFailure },
})

/** The last lines of a log file, oldest first. */
export const linesQuery = (file: string) =>
  queryOptions({
    queryKey: keys.lines(file),
    queryFn: ({ signal }) => call(devLogs.read, { query: { file }, signal }),
    meta: { failure: linesFailure },
  })

/** Clears a log file and refetches its lines. */
export const clearFile = mutationOptions({
  mutationFn: (file: string) => call(devLogs.clear, { query: { file } }),
  onSettled: (_data, _error, file, _result, { client }) =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.lines(file) }),
      client.invalidateQueries({ queryKey: keys.files }),
    ]),
})

/** Message if the list of files could not be loaded. */
export function filesFailure(error: unknown): string {
  return isStatus(error, 403)
    ? reasonOf(error, devLogMessages.fetch_log_files_failed)
    : devLogMessages.fetch_log_files_failed
}

/** Message if a file could not be loaded. */
export function linesFailure(error: unknown): string {
  if (isStatus(error, 404)) return devLogMessages.log_file_not_found
  return isStatus(error, 403)
    ? reasonOf(error, devLogMessages.fetch_dev_logs_failed)
    : devLogMessages.fetch_dev_logs_failed
}

/** Message if a file could not be cleared. */
export const clearFailure = (error: unknown) =>
  isStatus(error, 404) ? devLogMessages.log_file_gone : devLogMessages.clear_dev_logs_failed

/** Log lines as text, one per line. */
export const asText = (lines: LogLine[]) =>
  lines
    .map(({ time, level, message, details }) =>
      level === 'text' ? message : [time, level.toUpperCase(), message, details].filter(Boolean).join(' '),
    )
    .join('\n')
