import type { ErrorBody } from '../../../contract/errors.ts'
import type { NamedError } from '../errors.ts'

/** The body of a failed answer. */
export function errorBody(error: NamedError, requestId: string): ErrorBody {
  const { message, field, errors } = error
  return {
    error: message,
    message,
    ...(field === undefined ? {} : { field }),
    ...(errors === undefined ? {} : { errors }),
    request_id: requestId,
  }
}
