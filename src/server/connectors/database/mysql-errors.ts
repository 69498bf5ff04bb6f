import { z } from 'zod'
import type { DatabaseSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { type FailureKind, OriginFailure } from '../connector.ts'
import { connectionFailure, databaseFailure } from './failures.ts'
import { whereOf } from './server.ts'

/** An error response of the server. MySQL and MariaDB share the numbers. */
const Answered = z.object({ errno: z.int(), sqlState: z.string().min(1), message: z.string() })

const READ_ONLY = 1792
const NO_DATABASE = 1049
const USER_REFUSED = new Set([1044, 1045, 1130, 1698, 3118, 3159, 4151])
const NO_RIGHT = new Set([1142, 1143, 1227, 1290, 1370, 1419])
// Transient: too many connections, locks, killed statements, timeouts (MariaDB, MySQL).
const LATER = new Set([1040, 1053, 1203, 1205, 1213, 1226, 1317, 1927, 1969, 3024])

/** Whether the server responded, so that the statement is no longer running. */
export const answeredBy = (error: unknown): boolean => Answered.safeParse(error).success

/** Converts an error of MySQL or MariaDB or of the connection to it. */
export function failureOf(error: unknown, settings: DatabaseSettings): OriginFailure {
  const answered = Answered.safeParse(error)
  if (error instanceof OriginFailure || !answered.success) return connectionFailure(error, settings)
  const { errno, message } = answered.data
  const where = whereOf(settings)
  const fail = (kind: FailureKind, text: string) => databaseFailure(kind, settings, text, error)
  if (USER_REFUSED.has(errno))
    return fail('forbidden', originMessages.database_user_refused(where, settings.user))
  if (errno === NO_DATABASE)
    return fail('not_found', originMessages.database_unknown(where, settings.database))
  if (NO_RIGHT.has(errno)) return fail('forbidden', originMessages.statement_forbidden(where, message))
  if (errno === READ_ONLY) return fail('invalid', originMessages.statement_writes(message))
  if (LATER.has(errno)) return fail('unavailable', originMessages.database_answered(where, message))
  // The message contains the position, such as: near 'form x' at line 2.
  return fail('invalid', originMessages.statement_failed(where, message, null))
}
