import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Moment } from '../fields.ts'

/** A log file of the server. `id` identifies it in calls; it is not a path. */
export const LogFile = z.object({
  id: z.string(),
  /** Which process wrote it: api, worker or scheduler. */
  role: z.string(),
  /** Still being written, not rotated. */
  current: z.boolean(),
  bytes: z.int(),
  modified_at: Moment,
})
export type LogFile = z.infer<typeof LogFile>

/** A line of a log file. Lines in another format have level `text`. */
export const LogLine = z.object({
  level: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'text']),
  time: z.nullable(z.string()),
  message: z.string(),
  /** Remaining fields of the line as JSON; blank if there are none. */
  details: z.string(),
})
export type LogLine = z.infer<typeof LogLine>

/** Id of the default file: the current log of the api process. */
export const DEFAULT_LOG_FILE = 'api'

// Any other text, such as a path, is an unknown id (404).
const FileQuery = z.strictObject({
  file: z._default(
    z.pipe(
      z.string(),
      z.transform((id) => (/^[a-z0-9-]{1,40}$/.test(id) ? id : '')),
    ),
    DEFAULT_LOG_FILE,
  ),
})

/** API calls for the server's log files. */
export const devLogs = {
  files: {
    method: 'GET',
    path: '/dev/logs/files',
    summary: 'The log files of the server',
    access: 'admin',
    reply: z.object({ files: z.array(LogFile), default_file: z.string() }),
  },
  read: {
    method: 'GET',
    path: '/dev/logs',
    summary: 'The last lines of a log file, oldest first',
    access: 'admin',
    query: FileQuery,
    reply: z.object({
      file: z.string(),
      bytes: z.int(),
      /** Earlier lines were omitted. */
      truncated: z.boolean(),
      lines: z.array(LogLine),
    }),
  },
  clear: {
    method: 'DELETE',
    path: '/dev/logs',
    summary: 'Clear a log file; the server continues writing to it',
    access: 'admin',
    query: FileQuery,
    status: 204,
  },
} satisfies Calls
