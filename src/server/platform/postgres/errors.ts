import { DatabaseError } from 'pg'
import type { ErrorName } from '../../../contract/errors.ts'

// What PostgreSQL's errors mean to us. Its codes: https://www.postgresql.org/docs/current/errcodes-appendix.html

const DEADLOCK = '40P01'
const QUERY_CANCELED = '57014'
const STARTING = '57P03'

// Class 08 (connection), class 53 (out of disk, memory or connections), a server that stops or starts (57P01-57P03, 57P05),
// a session that was ended because it was idle for too long (25P03, 25P04).
const UNAVAILABLE = /^(08|53|57P0[1-35]$|25P0[34]$)/
const UNAVAILABLE_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
// pg's own errors, which have no code.
const UNAVAILABLE_MESSAGES = [
  /^timeout exceeded when trying to connect/,
  /^Query read timeout/,
  /^Connection terminated/,
  /^Client has encountered a connection error/,
  /^Client was closed and is not queryable/,
]

const REFUSALS: Readonly<Record<string, DatabaseRefusal>> = {
  '53100': 'disk',
  '53200': 'memory',
  '53300': 'connections',
  [STARTING]: 'starting',
}

/** The embedded PostgreSQL cannot be prepared or started; the message says why and, if there is one, what to do. */
export class PostgresError extends Error {
  override name = 'PostgresError'
}

/** Whether PostgreSQL cannot be reached or used now, so that a retry makes sense. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseError) return UNAVAILABLE.test(error.code ?? '')
  if ('code' in error && typeof error.code === 'string') {
    // The socket file does not exist: the server on the same machine is down.
    if (error.code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
    return UNAVAILABLE_SYSTEM_CODES.has(error.code)
  }
  return UNAVAILABLE_MESSAGES.some((message) => message.test(error.message))
}

export type DatabaseRefusal = 'disk' | 'memory' | 'connections' | 'starting' | 'resources'

/**
 * The resource that a reachable PostgreSQL lacked for this statement; null for any other error. Each of them also satisfies
 * `isDatabaseUnavailable`.
 */
export function databaseRefusal(error: unknown): DatabaseRefusal | null {
  if (!(error instanceof DatabaseError) || error.code === undefined) return null
  return REFUSALS[error.code] ?? (error.code.startsWith('53') ? 'resources' : null)
}

/** Whether PostgreSQL rolled the transaction back to resolve a deadlock; a retry succeeds. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === DEADLOCK

/** Whether a statement was cancelled, for example by `statement_timeout`. */
export const isCanceled = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === QUERY_CANCELED

/** Whether the server refused the connection because it is starting, for example replaying its log after a crash. */
export const isStarting = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === STARTING

/** Whether the server knows no such role or database, or the password is wrong (class 28, 3D000). */
export const isAccessDenied = (error: unknown): boolean =>
  error instanceof DatabaseError && /^(28|3D)/.test(error.code ?? '')

/** Whether a value does not fit its column or a constraint (classes 22 and 23). */
export const isInvalidData = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && /^2[23]/.test(error.code ?? '')

/** Names of PostgreSQL constraints: the error that each means to a caller, and the field that caused it. */
export type Constraints = Readonly<Record<string, { error: ErrorName; field: string }>>

/** The named error behind a violated constraint; undefined if none was violated or it is not listed. */
export function violatedConstraint(
  error: unknown,
  constraints: Constraints,
): Constraints[string] | undefined {
  return error instanceof DatabaseError && error.constraint ? constraints[error.constraint] : undefined
}

export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof DatabaseError && error.constraint === constraint
