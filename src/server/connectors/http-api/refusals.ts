import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { type FailureKind, OriginFailure } from '../connector.ts'
import { fieldsOf } from './json-path.ts'

/** A reply that is none of a page. */
export class StatusFailure extends OriginFailure {
  readonly status: number
  constructor(kind: FailureKind, status: number, message: string) {
    super(kind, message)
    this.status = status
  }
}

/** What a status other than success means; `body` is the beginning of what came with it. */
export function failureOfStatus(status: number, body: string): StatusFailure {
  const detail = detailOf(body)
  if (status === 401 || status === 403 || status === 407)
    return new StatusFailure('forbidden', status, messages.api_refused(status, detail))
  if (status === 404 || status === 410)
    return new StatusFailure('not_found', status, messages.api_not_found(status, detail))
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return new StatusFailure('unavailable', status, messages.api_busy(status, detail))
  return new StatusFailure('invalid', status, messages.api_rejected(status, detail))
}

/** What an error of the network means. */
export function failureOfNetwork(error: unknown): OriginFailure {
  for (const cause of causesOf(error)) if (cause instanceof OriginFailure) return cause
  const code =
    causesOf(error)
      .map(codeOf)
      .find((found) => found !== '') ?? ''
  const reason = error instanceof Error && error.message !== '' ? error.message : code
  // A certificate or a request that is wrong will be wrong next time.
  const isFinal = /^ERR_TLS|^ERR_SSL|^UND_ERR_INVALID_ARG/.test(code)
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return new OriginFailure('invalid', messages.api_certificate(reason))
  return new OriginFailure(isFinal ? 'invalid' : 'unavailable', messages.api_unreachable(reason))
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) {
    causes.push(cause)
    // Of a connection that was tried at several addresses.
    if (cause instanceof AggregateError)
      causes.push(...cause.errors.filter((inner: unknown) => inner instanceof Error))
  }
  return causes
}

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '')

const DETAIL = /^(message|error_description|detail|title|error|reason|msg)$/i

/** What an API says of its refusal, in whichever of the usual fields. */
function detailOf(body: string): string {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    // A page of a proxy, or cut: then the status is all there is.
    return ''
  }
  for (let depth = 0; depth < 3; depth += 1) {
    const fields = fieldsOf(Array.isArray(value) ? value[0] : value)
    const texts = fields.filter(([name, field]) => DETAIL.test(name) && typeof field === 'string')
    // Beside a sentence, `error` is only its code.
    const text = texts.find(([name]) => name !== 'error') ?? texts[0]
    if (text) return String(text[1])
    value = fields.find(([name]) => /^errors?$/i.test(name))?.[1]
  }
  return ''
}
