export type GoogleStatus =
  | 'INVALID_ARGUMENT'
  | 'FAILED_PRECONDITION'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'RESOURCE_EXHAUSTED'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'DEADLINE_EXCEEDED'

/** An error with Google's message. `code` is the HTTP status, `body()` the JSON of the real service. */
export class GoogleError extends Error {
  readonly code: number
  readonly status: GoogleStatus
  readonly details: readonly object[] | undefined

  constructor(code: number, status: GoogleStatus, message: string, details?: readonly object[]) {
    super(message)
    this.name = 'GoogleError'
    this.code = code
    this.status = status
    this.details = details
  }

  body() {
    const { code, message, status, details } = this
    return { error: { code, message, status, ...(details && { details }) } }
  }
}

/** 400 INVALID_ARGUMENT with only a message, the form of most Sheets API errors. */
export function invalid(message: string): GoogleError {
  return new GoogleError(400, 'INVALID_ARGUMENT', message)
}

/** 400 with details of the invalid field, in the format of Google's JSON parser. */
export function badField(field: string, description: string): GoogleError {
  return badRequest([{ field, description }])
}

/** 400 with details of all invalid fields, in the format of Google's JSON parser. */
export function badRequest(violations: readonly { field?: string; description: string }[]): GoogleError {
  const message = violations.map(({ description }) => description).join('\n')
  return new GoogleError(400, 'INVALID_ARGUMENT', message, [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations },
  ])
}

/** 404 for an unknown id. */
export function notFound(): GoogleError {
  return new GoogleError(404, 'NOT_FOUND', 'Requested entity was not found.')
}

/** 403 for a file without access. */
export function forbidden(): GoogleError {
  return new GoogleError(403, 'PERMISSION_DENIED', 'The caller does not have permission')
}

/** 400 for features of the real service that the sandbox does not support. */
export function notInSandbox(what: string): GoogleError {
  return invalid(`not in the sandbox: ${what}`)
}
