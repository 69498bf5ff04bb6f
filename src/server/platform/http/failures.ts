import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorName, errors } from '../../../contract/errors.ts'
import { NamedError } from '../errors.ts'
import { type Constraints, isDatabaseUnavailable, violatedConstraint } from '../postgres/errors.ts'
import { errorBody } from './error-body.ts'
import type {} from './guard.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The catalogue's code of a failed request. */
    failure: string | null
  }
}

const RETRY_SECONDS = 5

/** Fastify's errors by code; others are `invalid`, or `unexpected` for status 5xx. */
const FRAMEWORK: Record<string, ErrorName> = {
  FST_ERR_BAD_URL: 'address_broken',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_type',
  FST_REQ_FILE_TOO_LARGE: 'file_too_large',
  FST_PARTS_LIMIT: 'too_large',
  FST_FILES_LIMIT: 'upload_several',
  FST_FIELDS_LIMIT: 'too_large',
}

/**
 * Answers a failed request with the catalogue's status and body; unknown errors are logged and not described in the
 * reply.
 */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const named = nameFailure(error, request.routeOptions.config.constraints ?? {})
  const { status } = errors[named.code]
  request.failure = named.code
  // The caller disconnected, so the aborted work is not an error.
  if (status >= 500 && !reply.raw.destroyed) request.log.error({ err: error }, named.message)
  if (named.retry_after_seconds !== undefined)
    reply.header('retry-after', Math.ceil(named.retry_after_seconds))
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(named, request.id)))
}

function nameFailure(error: unknown, constraints: Constraints): NamedError {
  if (error instanceof NamedError) return error
  const violated = violatedConstraint(error, constraints)
  if (violated) return new NamedError(violated.error, { field: violated.field, cause: error })
  if (isDatabaseUnavailable(error)) {
    return new NamedError('unavailable', { retry_after_seconds: RETRY_SECONDS, cause: error })
  }
  if (isFrameworkError(error)) {
    const code = FRAMEWORK[error.code]
    if (code) return new NamedError(code, { cause: error })
    if ((error.statusCode ?? 500) < 500) return new NamedError('invalid', { cause: error })
  }
  return new NamedError('unexpected', { cause: error })
}

function isFrameworkError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error
}
