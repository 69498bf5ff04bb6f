import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, GoogleError } from '../google-error.ts'
import type { Fault } from './faults.ts'
import { quotaExceeded } from './quotas.ts'

const defaultHold = 180_000
const defaultByteInterval = 1000

/** Google's reply to an expired, revoked or forged token. */
export function invalidCredentials(): GoogleError {
  return new GoogleError(
    401,
    'UNAUTHENTICATED',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid ' +
      'authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
  )
}

/** Waits until the time expires or the client disconnects. */
export async function wait(ms: number, reply: FastifyReply): Promise<void> {
  const gone = new AbortController()
  const onClose = () => gone.abort()
  reply.raw.once('close', onClose)
  await delay(ms, undefined, { signal: gone.signal, ref: false }).catch(() => undefined)
  reply.raw.off('close', onClose)
}

/** Waits for the latency plus its random part, in milliseconds. */
export async function waitLatency(
  latency: { ms?: number | undefined; jitter_ms?: number | undefined },
  reply: FastifyReply,
): Promise<void> {
  const ms = (latency.ms ?? 0) + Math.random() * (latency.jitter_ms ?? 0)
  if (ms > 0) await wait(ms, reply)
}

/**
 * Injects a fault before the request is executed. Throws Google's error, sends a reply, or closes the connection. 'dropped': the
 * connection is closed. 'passed': the fault does not affect the request; injectResponseFault may apply it to the reply.
 */
export async function injectRequestFault(
  fault: Fault,
  context: { request: FastifyRequest; reply: FastifyReply; revoke: () => void },
): Promise<'dropped' | 'answered' | 'passed'> {
  const { request, reply } = context
  const kind = request.record?.kind ?? 'read'
  switch (fault.kind) {
    case '429':
      throw quotaExceeded(kind, 'user', 60)
    case '500':
      throw new GoogleError(500, 'INTERNAL', 'Internal error encountered.')
    case '503':
      throw new GoogleError(503, 'UNAVAILABLE', 'The service is currently unavailable.')
    case 'permission-lost':
      throw forbidden()
    case 'revoked-grant':
      context.revoke()
      reply.header('www-authenticate', 'Bearer realm="https://accounts.google.com/", error="invalid_token"')
      throw invalidCredentials()
    case 'html':
      await reply
        .type('text/html; charset=utf-8')
        .send('<!DOCTYPE html><html><title>Sorry</title><body>We are having trouble.</body></html>')
      return 'answered'
    case 'timeout':
      await wait(fault.ms ?? defaultHold, reply)
      drop(request, reply, 'close')
      return 'dropped'
    case 'reset':
      drop(request, reply, 'reset')
      return 'dropped'
    default:
      return 'passed'
  }
}

/** Injects a fault into the reply of an executed request. Returns undefined if no reply is sent. */
export async function injectResponseFault(
  fault: Fault,
  bytes: Buffer,
  context: { request: FastifyRequest; reply: FastifyReply },
): Promise<Buffer | Readable | undefined> {
  const { request, reply } = context
  switch (fault.kind) {
    case 'execute-then-timeout':
      await wait(fault.ms ?? defaultHold, reply)
      drop(request, reply, 'close')
      return undefined
    case 'execute-then-reset':
      drop(request, reply, 'reset')
      return undefined
    case 'half-body':
      reply.header('content-length', bytes.length)
      return Readable.from(cutInHalf(bytes))
    case 'slow-body':
      reply.header('content-length', bytes.length)
      return Readable.from(byteByByte(bytes, fault.ms ?? defaultByteInterval, reply))
    case 'broken-json':
      return bytes.subarray(0, Math.floor(bytes.length / 2))
    default:
      return bytes
  }
}

async function* cutInHalf(bytes: Buffer) {
  yield bytes.subarray(0, Math.ceil(bytes.length / 2))
  // Sends the first half before the error destroys the socket.
  await delay(20)
  throw new Error('half-body fault')
}

async function* byteByByte(bytes: Buffer, ms: number, reply: FastifyReply) {
  for (let i = 0; i < bytes.length && !reply.raw.destroyed; i += 1) {
    yield bytes.subarray(i, i + 1)
    await wait(ms, reply)
  }
}

function drop(request: FastifyRequest, reply: FastifyReply, how: 'close' | 'reset'): void {
  reply.hijack()
  if (how === 'reset') request.raw.socket.resetAndDestroy()
  else request.raw.socket.destroy()
}
