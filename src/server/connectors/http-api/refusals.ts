import { originMessages } from '../../../contract/connections/server-messages.ts'
import { type FailureKind, OriginFailure } from '../connector.ts'
import { fieldsOf } from './json-path.ts'

/** A reply with an error status. */
export class StatusFailure extends OriginFailure {
  readonly status: number
  /** The API's error code and message; '' if there is none. */
  readonly code: string
  readonly detail: string
  constructor(kind: FailureKind, status: number, message: string, { code = '', detail = '' } = {}) {
    super(kind, message)
    this.status = status
    this.code = code
    this.detail = detail
  }
}

/** A transient failure with a limited number of retries, because it usually persists. */
export class BriefFailure extends OriginFailure {
  readonly tries: number
  constructor(message: string, tries: number) {
    super('unavailable', message)
    this.tries = tries
  }
}

/** Prefixes a failure's message. */
export function prefixed(failure: OriginFailure, prefix: string): OriginFailure {
  const message = `${prefix}${failure.message}`
  if (failure instanceof StatusFailure)
    return new StatusFailure(failure.kind, failure.status, message, failure)
  if (failure instanceof BriefFailure) return new BriefFailure(message, failure.tries)
  return new OriginFailure(failure.kind, message, { cause: failure.cause })
}

/** Converts an error status. `body`: beginning of the reply; `shown`: redacts text. */
export function failureOfStatus(
  status: number,
  body: string,
  shown: (text: string) => string,
): StatusFailure {
  const value = parsed(body)
  const detail = shown(detailOf(value)).replace(/\s+/g, ' ').trim()
  const code = String(fieldsOf(value).find(([name]) => name === 'code')?.[1] ?? '')
  const failure = (kind: FailureKind, message: string) =>
    new StatusFailure(kind, status, message, { code, detail })
  if (status === 401 || status === 403 || status === 407)
    return failure('forbidden', originMessages.api_refused(status, detail))
  if (status === 404 || status === 410)
    return failure('not_found', originMessages.api_not_found(status, detail))
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return failure('unavailable', originMessages.api_busy(status, detail))
  return failure('invalid', originMessages.api_rejected(status, detail))
}

/** Converts a network error. */
export function failureOfNetwork(error: unknown): OriginFailure {
  for (const cause of causesOf(error)) if (cause instanceof OriginFailure) return cause
  const code =
    causesOf(error)
      .map(codeOf)
      .find((found) => found !== '') ?? ''
  const reason = error instanceof Error && error.message !== '' ? error.message : code
  // Invalid certificates and requests stay invalid.
  const isFinal = /^ERR_TLS|^ERR_SSL|^UND_ERR_INVALID_ARG/.test(code)
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return new OriginFailure('invalid', originMessages.api_certificate(reason))
  return new OriginFailure(isFinal ? 'invalid' : 'unavailable', originMessages.api_unreachable(reason))
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) {
    causes.push(cause)
    // Several addresses were tried.
    if (cause instanceof AggregateError)
      causes.push(...cause.errors.filter((inner: unknown) => inner instanceof Error))
  }
  return causes
}

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '')

const DETAIL = /^(message|error_description|detail|title|error|reason|msg)$/i

/** The error message, from any of the usual fields. */
function detailOf(body: unknown): string {
  let value = body
  for (let depth = 0; depth < 3; depth += 1) {
    const fields = fieldsOf(Array.isArray(value) ? value[0] : value)
    const texts = fields.filter(([name, field]) => DETAIL.test(name) && typeof field === 'string')
    // If there is a sentence, `error` is only a code.
    const text = texts.find(([name]) => name !== 'error') ?? texts[0]
    if (text) return String(text[1])
    value = fields.find(([name]) => /^errors?$/i.test(name))?.[1]
  }
  return ''
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Not JSON, or truncated: only the status is known.
    return null
  }
}
