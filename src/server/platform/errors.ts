import { type ErrorName, errors } from '../../contract/errors.ts'

type Details = {
  /** Text for the user, if it is more specific than the catalogue's. */
  message?: string
  /** The invalid field, as the caller named it. */
  field?: string
  errors?: { field: string; message: string }[]
  retry_after_seconds?: number
  cause?: unknown
}

/** An error of the catalogue, thrown anywhere; only platform/http turns it into a reply. */
export class NamedError extends Error {
  override name = 'NamedError'
  readonly code: ErrorName
  readonly field: string | undefined
  readonly errors: { field: string; message: string }[] | undefined
  readonly retry_after_seconds: number | undefined

  constructor(code: ErrorName, details: Details = {}) {
    super(details.message ?? errors[code].message, { cause: details.cause })
    this.code = code
    this.field = details.field
    this.errors = details.errors
    this.retry_after_seconds = details.retry_after_seconds
  }
}
