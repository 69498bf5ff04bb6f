import { DatabaseError } from 'pg'
import type { DatabaseSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import type { FailureKind, OriginFailure } from '../connector.ts'
import { connectionFailure, databaseFailure, placeOf } from './failures.ts'
import { whereOf } from './server.ts'

const READ_ONLY = '25006'
const NO_RIGHT = '42501'
const NO_DATABASE = '3D000'
// Transient SQLSTATE classes: busy, unavailable, lock conflicts, and statements ended by an administrator.
const LATER = /^(08|40|53|57|58|XX|55P03)/

/** Converts an error of PostgreSQL or of the connection to it. */
export function failureOf(error: unknown, settings: DatabaseSettings): OriginFailure {
  if (!(error instanceof DatabaseError)) return connectionFailure(error, settings)
  const { code = '', message, position } = error
  const where = whereOf(settings)
  const fail = (kind: FailureKind, text: string) => databaseFailure(kind, settings, text, error)
  if (code.startsWith('28'))
    return fail('forbidden', originMessages.database_user_refused(where, settings.user))
  if (code === NO_DATABASE)
    return fail('not_found', originMessages.database_unknown(where, settings.database))
  if (code === NO_RIGHT) return fail('forbidden', originMessages.statement_forbidden(where, message))
  if (code === READ_ONLY) return fail('invalid', originMessages.statement_writes(message))
  if (LATER.test(code)) return fail('unavailable', originMessages.database_answered(where, message))
  // PostgreSQL counts characters from 1.
  const place = position ? placeOf(settings.statement, Number(position) - 1) : null
  return fail('invalid', originMessages.statement_failed(where, message, place))
}
