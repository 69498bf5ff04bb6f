import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyInstance } from 'fastify'
import { type ErrorName, errors } from '../../../contract/errors.ts'
import { NamedError } from '../errors.ts'
import { errorBody } from './error-body.ts'

const CODES: Record<string, ErrorName> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Answers malformed HTTP, for which no request object exists, with the usual error body and closes the connection. */
export function refuseBrokenHttp(this: FastifyInstance, error: ConnectionError, socket: Socket): void {
  const name = CODES[error.code] ?? 'http_broken'
  const request_id = randomUUID()
  this.log.info({ code: error.code, request_id }, 'Broken HTTP')
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const { status } = errors[name]
    const body = JSON.stringify(errorBody(new NamedError(name), request_id))
    const headers = `content-type: application/json; charset=utf-8\r\nx-request-id: ${request_id}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}\r\n\r\n${body}`)
  }
  socket.destroy(error)
}
