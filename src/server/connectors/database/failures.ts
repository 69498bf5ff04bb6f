import type { DatabaseSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { type FailureKind, OriginFailure } from '../connector.ts'
import { whereOf } from './server.ts'

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
])

/** A failure with the database's message, from which the password is removed. */
export function databaseFailure(
  kind: FailureKind,
  settings: DatabaseSettings,
  message: string,
  cause: unknown,
): OriginFailure {
  const { password } = settings
  const text = password ? message.replaceAll(password, '•••') : message
  // The cause is dropped: it may contain the connection's settings.
  return new OriginFailure(kind, text, { cause: cause instanceof Error ? cause.name : undefined })
}

/** Converts an error of a connection that failed or broke. */
export function connectionFailure(error: unknown, settings: DatabaseSettings): OriginFailure {
  if (error instanceof OriginFailure) return error
  const { code, message } = detailsOf(error)
  const where = whereOf(settings)
  // Error codes of Node, pg and mysql2 for certificates and for servers without TLS.
  if (/CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL/.test(code) || /SSL/.test(message))
    return databaseFailure('invalid', settings, originMessages.database_tls(where, message), error)
  const reason = UNREACHABLE.has(code) ? code : message
  return databaseFailure('unavailable', settings, originMessages.database_unreachable(where, reason), error)
}

/** Line and column, counted from 1, of a character position. */
export function placeOf(text: string, index: number): { line: number; column: number } {
  const lines = text.slice(0, index).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

function detailsOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { code, message: error.message || code }
}
