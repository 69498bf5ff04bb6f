import type { ErrorBody } from '../../../contract/error-body.ts'
import type { NamedError } from '../errors.ts'

// An upper bound for quoted input; the texts of the catalogue cut it shorter.
const MAX_CHARACTERS = 2_000

const cut = (text: string) =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…`.toWellFormed() : text

/** The body of an error reply; bounded, however long the request was. */
export function errorBody(error: NamedError, requestId: string): ErrorBody {
  const message = cut(error.message)
  const { code, field, errors } = error
  return {
    code,
    error: message,
    message,
    ...(field === undefined ? {} : { field: cut(field) }),
    ...(errors === undefined ? {} : { errors }),
    request_id: requestId,
  }
}
