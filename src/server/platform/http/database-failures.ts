import { DatabaseError } from 'pg'
import type { ErrorName } from '../../../contract/errors.ts'

// Class 08 (connection), 53 (out of disk, memory or connections), the states of a server that stops or starts, and those of one that ends
// a connection because nothing came for too long, as nothing does from a process that was frozen.
const AWAY_STATE = /^(08|53|57P0[1-35]$|25P0[34]$)/
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
// pg gives these failures of its own side no code.
const AWAY_MESSAGES = [
  /^timeout exceeded when trying to connect/,
  /^Query read timeout/,
  /^Connection terminated/,
  /^Client has encountered a connection error/,
  /^Client was closed and is not queryable/,
]

/** Whether the failure means that PostgreSQL cannot be reached or used now, so that asking again later makes sense. */
export function databaseIsAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseError) return AWAY_STATE.test(error.code ?? '')
  if ('code' in error && typeof error.code === 'string') {
    // A socket file that is not there: the server on the same machine is down.
    if (error.code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
    return AWAY_CODES.has(error.code)
  }
  return AWAY_MESSAGES.some((message) => message.test(error.message))
}

export type DatabaseRefusal = 'disk' | 'memory' | 'connections' | 'starting' | 'resources'

const REFUSALS: Readonly<Record<string, DatabaseRefusal>> = {
  '53100': 'disk',
  '53200': 'memory',
  '53300': 'connections',
  '57P03': 'starting',
}

/**
 * What PostgreSQL, which is there, has not enough of for this statement now; null: the failure means something else. All of them are
 * among those of `databaseIsAway`.
 */
export function databaseRefusal(error: unknown): DatabaseRefusal | null {
  if (!(error instanceof DatabaseError) || error.code === undefined) return null
  return REFUSALS[error.code] ?? (error.code.startsWith('53') ? 'resources' : null)
}

/** Names of PostgreSQL constraints: which error each means to a caller, and the field at fault. */
export type Constraints = Readonly<Record<string, { error: ErrorName; field: string }>>

/** The named error behind a violated constraint; undefined when the failure is none or the constraint is not listed. */
export function violatedConstraint(
  error: unknown,
  constraints: Constraints,
): Constraints[string] | undefined {
  return error instanceof DatabaseError && error.constraint ? constraints[error.constraint] : undefined
}
