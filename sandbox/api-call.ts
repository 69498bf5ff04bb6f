import type { FastifyRequest } from 'fastify'
import { GoogleError } from './google-error.ts'

/** Whose token an API request carries; `scopes` are full scope URLs. */
export type Caller = { email: string; scopes: string[] }

/** What a Sheets handler tells the ledger about the request it served. */
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
    /** Set by the API pipeline before any handler runs; null outside it. */
    caller: Caller | null
    record: CallRecord | null
  }
}

/** The caller of an authenticated request. Throws 403 as Google does when there are no credentials. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw missingCredentials()
  return request.caller
}

/** Google's answer to a request without any credentials. */
export function missingCredentials(): GoogleError {
  return new GoogleError(
    403,
    'PERMISSION_DENIED',
    "Method doesn't allow unregistered callers (callers without established identity). " +
      'Please use API Key or other form of API consumer identity to call this API.',
  )
}
