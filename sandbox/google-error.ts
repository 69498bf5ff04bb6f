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

/** A refusal in the words of Google: `code` is the HTTP status, `body()` the JSON that the real service would send. */
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

/** 400 INVALID_ARGUMENT with that message and nothing else, the form of nearly every refusal of the Sheets API. */
export function invalid(message: string): GoogleError {
  return new GoogleError(400, 'INVALID_ARGUMENT', message)
}

/** 400 whose details name the offending field, as the service's JSON parser sends it. */
export function badField(field: string, description: string): GoogleError {
  return badRequest([{ field, description }])
}

/** 400 whose details list everything that the service's JSON parser does not accept. */
export function badRequest(violations: readonly { field?: string; description: string }[]): GoogleError {
  const message = violations.map(({ description }) => description).join('\n')
  return new GoogleError(400, 'INVALID_ARGUMENT', message, [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations },
  ])
}

/** 404 for an id that names nothing. */
export function notFound(): GoogleError {
  return new GoogleError(404, 'NOT_FOUND', 'Requested entity was not found.')
}

/** 403 for a file that the caller may not touch. */
export function forbidden(): GoogleError {
  return new GoogleError(403, 'PERMISSION_DENIED', 'The caller does not have permission')
}

/** 400 for what the real service offers and this one leaves out. */
export function notInSandbox(what: string): GoogleError {
  return invalid(`not in the sandbox: ${what}`)
}
