import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { GoogleError, invalid } from './google-error.ts'

const driveReasons: Record<number, string> = {
  400: 'badRequest',
  401: 'authError',
  403: 'forbidden',
  404: 'notFound',
  429: 'rateLimitExceeded',
  500: 'internalError',
  503: 'backendError',
}

/** An error in Drive's format; `reason` is the machine-readable one in its `errors` list. */
export class DriveError extends GoogleError {
  readonly reason: string
  readonly location: string | undefined

  constructor(
    code: number,
    status: GoogleError['status'],
    message: string,
    reason: string,
    location?: string,
  ) {
    super(code, status, message)
    this.reason = reason
    this.location = location
  }
}

/** Converts every error to Google's JSON format. Unexpected errors become a 500 and are written to stderr. */
export function errorReply(error: FastifyError | GoogleError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = error instanceof GoogleError ? error : fromFastify(error)
  // A client that disconnects during the reply is not an error.
  const isGone = error.code === 'ERR_STREAM_PREMATURE_CLOSE'
  if (refusal.code === 500 && refusal !== error && !isGone) console.error(error)
  const body = refusal.body()
  return reply
    .code(refusal.code)
    .send(request.url.startsWith('/drive/') ? withErrorsList(body, refusal) : body)
}

function withErrorsList(body: ReturnType<GoogleError['body']>, refusal: GoogleError) {
  const { code, message, ...rest } = body.error
  const reason = refusal instanceof DriveError ? refusal.reason : (driveReasons[code] ?? 'badRequest')
  const location = refusal instanceof DriveError ? refusal.location : undefined
  const place = location === undefined ? {} : { location, locationType: 'parameter' }
  const errors = [{ message, domain: 'global', reason, ...place }]
  // Drive's own errors have no status; errors of Google's gateway have one.
  return { error: { code, message, errors, ...(refusal instanceof DriveError ? {} : rest) } }
}

function fromFastify(error: FastifyError): GoogleError {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return invalid('Request payload size exceeds the limit: 10485760 bytes.')
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return invalid(`Invalid JSON payload received. ${error.message}`)
    default:
      return error.statusCode !== undefined && error.statusCode < 500
        ? invalid(error.message)
        : new GoogleError(500, 'INTERNAL', 'Internal error encountered.')
  }
}
