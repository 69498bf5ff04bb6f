import type { FastifyRequest } from 'fastify'
import { GoogleError } from './google-error.ts'

/** Account and scopes of an API request's token. Scopes are full URLs. */
export type Caller = { email: string; scopes: string[] }

/** Details of a request that its handler reports to the ledger. */
export type CallRecord = {
  spreadsheet_id: string | null
  ranges: string[]
  /** Cells read or written. */
  cells: number
  /** True once a write has changed the spreadsheet. */
  applied: boolean
  kind: 'read' | 'write'
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the API pipeline before the handler runs; null outside it. */
    caller: Caller | null
    record: CallRecord | null
  }
}

/** Returns the caller of an authenticated request. Throws Google's 403 if there are no credentials. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw missingCredentials()
  return request.caller
}

/** Google's reply to a request without credentials. */
export function missingCredentials(): GoogleError {
  return new GoogleError(
    403,
    'PERMISSION_DENIED',
    "Method doesn't allow unregistered callers (callers without established identity). " +
      'Please use API Key or other form of API consumer identity to call this API.',
  )
}
