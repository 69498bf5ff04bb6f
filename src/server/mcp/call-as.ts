import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addressOf } from '../../contract/address.ts'
import type { Call } from '../../contract/calls.ts'
import { ErrorBody } from '../../contract/error-body.ts'
import type { AcceptedOf, RequestOf } from '../../contract/request-of.ts'

/** A call was refused or failed; `body` is the error reply. */
export class CallRefused extends Error {
  override name = 'CallRefused'
  readonly body: ErrorBody
  constructor(body: ErrorBody) {
    super(body.message)
    this.body = body
  }
}

/** Makes declared calls with the token of a request. Throws CallRefused. */
export type CallAs = <C extends Call & { reply: z.core.$ZodType }>(
  declaration: C,
  request: RequestOf<C>,
) => Promise<z.output<C['reply']> | AcceptedOf<C>>

type AnyRequest = { params?: object; query?: object; body?: unknown }

/**
 * Makes declared calls inside this process as the caller of the request. They pass the guard, the limits and the parsers as over
 * HTTP: there is no second way to the data, and a token that was revoked meanwhile is refused. `signal` ends calls that wait.
 */
export function callAs({ server, headers, host, ip }: FastifyRequest, signal: AbortSignal): CallAs {
  const call = async (declaration: Call & { reply: z.core.$ZodType }, request: AnyRequest) => {
    const { params, query, body } = request
    const response = await server.inject({
      method: declaration.method,
      url: addressOf(declaration.path, params, query),
      // No cookie: the token decides alone.
      headers: {
        host,
        authorization: headers.authorization ?? '',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      remoteAddress: ip,
      signal,
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const text: unknown = JSON.parse(response.body)
    if (response.statusCode >= 400) throw new CallRefused(ErrorBody.parse(text))
    const is_other = response.statusCode === 202 && declaration.accepted !== undefined
    // One implementation for all declarations loses the type of the reply.
    return z.parse((is_other && declaration.accepted) || declaration.reply, text) as never
  }
  return call
}
