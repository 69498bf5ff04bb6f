import { z } from 'zod'
import { type FailureKind, OriginFailure } from '../../connector.ts'

const ErrorReply = z.object({
  error: z.object({
    message: z.string().default(''),
    status: z.string().default(''),
    details: z.array(z.object({ reason: z.string().optional() })).default([]),
    // Used by Drive.
    errors: z.array(z.object({ reason: z.string().optional() })).default([]),
  }),
})

/**
 * The meaning of an error response: whether a retry may succeed, whether the write may have been applied, and the
 * message for people.
 */
export type GoogleError = {
  transient: boolean
  /** The request may have been applied. */
  ambiguous: boolean
  renewToken: boolean
  /** The quota is used up. */
  quota?: boolean
  failure: OriginFailure
}

const rateReasons = new Set(['RATE_LIMIT_EXCEEDED', 'rateLimitExceeded', 'userRateLimitExceeded'])

/** What the request was about, for the message. `title` is unknown before the spreadsheet has been read. */
export type Asked = {
  account: string
  kind?: 'read' | 'write' | null
  spreadsheet?: { id: string; title: string | undefined } | undefined
}

/** Parses a response with another status than 200. */
export function parseGoogleError(
  status: number,
  body: string,
  { account, kind = null, spreadsheet }: Asked,
): GoogleError {
  const named = spreadsheet?.title === undefined ? null : `‘${spreadsheet.title}’`
  const byId = spreadsheet ? `the spreadsheet ${spreadsheet.id}` : 'this spreadsheet'
  const { message, code, reasons } = read(body)
  if (status === 429 || reasons.some((reason) => rateReasons.has(reason))) {
    return transient('Google’s quota for requests per minute is used up.', { ambiguous: false, quota: true })
  }
  if (status === 408 || status >= 500) {
    return transient(`Google could not answer (${status}${message && `: ${message}`}).`, { ambiguous: true })
  }
  if (status === 401) {
    const failure = new OriginFailure('unavailable', `Google did not accept the access token of ${account}.`)
    return { transient: false, ambiguous: false, renewToken: true, failure }
  }
  return { transient: false, ambiguous: false, renewToken: false, failure: finalFailure() }

  function finalFailure(): OriginFailure {
    if (status === 403 && reasons.includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT')) {
      return failureOf(
        'reconnect',
        `${account} has not granted access to spreadsheets. Sign in again and allow it.`,
      )
    }
    if (status === 403)
      return failureOf(
        'forbidden',
        kind === 'write'
          ? `${account} may read but not edit ${named ?? byId}: ask its owner for edit access, or choose another account.`
          : `${account} may not open ${named ?? byId}: ask its owner for access, or choose another account.`,
      )
    if (status === 404) {
      return failureOf(
        'not_found',
        named === null
          ? `There is no spreadsheet with ${spreadsheet ? `the id ${spreadsheet.id}` : 'this id'}, or it is not shared with ${account}: check the id, ask its owner to share it, or choose another account.`
          : `${named} is gone, or not shared with ${account} any more: ask its owner to share it, or choose another account.`,
      )
    }
    if (status === 413 || /Request payload size exceeds the limit/.test(message))
      return failureOf('request_too_large', `Google refused the request as too large (${status}).`)
    if (/above the limit of 10000000 cells/.test(message)) return failureOf('too_large', message)
    if (code === 'FAILED_PRECONDITION') {
      return failureOf(
        'invalid',
        `This file is not a Google spreadsheet (an Office file, perhaps): ${message}`,
      )
    }
    if (/exceeds grid limits|Requested writing within range/.test(message))
      return failureOf('tab_gone', 'A tab lost rows or columns while it was in use.')
    if (/Unable to parse range|No grid with id/.test(message))
      return failureOf('tab_gone', 'A tab was renamed or deleted while it was in use.')
    return failureOf('invalid', `Google refused the request (${status}): ${message}`)
  }
}

/**
 * A request without a complete response: the connection broke, it timed out, or the body was not what Google sends.
 */
export function noAnswer(cause: unknown): GoogleError {
  return transient('The connection to Google broke before its answer was complete.', {
    ambiguous: true,
    cause,
  })
}

function transient(
  message: string,
  { ambiguous, quota = false, cause }: { ambiguous: boolean; quota?: boolean; cause?: unknown },
): GoogleError {
  const failure = new OriginFailure('unavailable', message, { cause })
  return { transient: true, ambiguous, renewToken: false, quota, failure }
}

const failureOf = (kind: FailureKind, message: string) => new OriginFailure(kind, message)

function read(body: string): { message: string; code: string; reasons: string[] } {
  const reply = ErrorReply.safeParse(jsonOrNull(body))
  // A proxy may have sent its own page; then only the status is known.
  if (!reply.success) return { message: '', code: '', reasons: [] }
  const { message, status, details, errors } = reply.data.error
  return { message, code: status, reasons: [...details, ...errors].flatMap(({ reason }) => reason ?? []) }
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
