import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Moment } from '../fields.ts'

/** A log file of the server. `id` is what the calls take; it is no path. */
export const LogFile = z.object({
  id: z.string(),
  /** Which process wrote it: api, worker or scheduler. */
  role: z.string(),
  /** Still being written; the others were rolled away. */
  current: z.boolean(),
  bytes: z.int(),
  modified_at: Moment,
})
export type LogFile = z.infer<typeof LogFile>

/** A line of a log file. What is no line of our own making has level `text`. */
export const LogLine = z.object({
  level: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'text']),
  time: z.nullable(z.string()),
  message: z.string(),
  /** The other fields of the line, as JSON; blank when there are none. */
  details: z.string(),
})
export type LogLine = z.infer<typeof LogLine>

/** Id of the file that is shown first: what the api process writes now. */
export const DEFAULT_LOG_FILE = 'api'

// Whatever is no id names no file: paths and the like are not found, as ids are that do not exist.
const FileQuery = z.strictObject({
  file: z._default(
    z.pipe(
      z.string(),
      z.transform((id) => (/^[a-z0-9-]{1,40}$/.test(id) ? id : '')),
    ),
    DEFAULT_LOG_FILE,
  ),
})

/** The calls on the server's own log files. */
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
      /** Lines before these were left out. */
      truncated: z.boolean(),
      lines: z.array(LogLine),
    }),
  },
  clear: {
    method: 'DELETE',
    path: '/dev/logs',
    summary: 'Empty a log file; the server goes on writing to it',
    access: 'admin',
    query: FileQuery,
    status: 204,
  },
} satisfies Calls
