import type { z } from 'zod'
import type { Call, InputOf } from '../../contract/calls.ts'
import { ErrorBody } from '../../contract/errors.ts'
import { messages } from '../../contract/messages.ts'
import { addressOf, antiForgeryToken } from './http-request.ts'
import { requestLogin } from './login-request.ts'

/** A call that did not succeed: HTTP status (0: no answer came), text for a person, and the fields it names. */
export class CallError extends Error {
  override name = 'CallError'
  readonly status: number
  readonly field: string | undefined
  readonly errors: ErrorBody['errors']

  constructor(status: number, message: string, body?: Pick<ErrorBody, 'field' | 'errors'>) {
    super(message)
    this.status = status
    this.field = body?.field
    this.errors = body?.errors
  }
}

// in an address a number is as good as its digits
type Wire<T> = { [K in keyof T]: string extends T[K] ? T[K] | number : T[K] }
type Part<K extends string, T> = [T] extends [undefined]
  ? { [key in K]?: undefined }
  : Record<never, never> extends T
    ? { [key in K]?: T }
    : { [key in K]: T }

/** What a call must be given: what its declaration asks for, and a signal if it shall be cancelled. */
export type RequestOf<C extends Call> = Part<'params', Wire<InputOf<C, 'params'>>> &
  Part<'query', Wire<InputOf<C, 'query'>>> &
  Part<'body', InputOf<C, 'body'>> & { signal?: AbortSignal }

type AnyRequest = { params?: object; query?: object; body?: unknown; signal?: AbortSignal }

async function failure(response: Response): Promise<CallError> {
  const body = ErrorBody.safeParse(await response.json().catch(() => null))
  return body.success
    ? new CallError(response.status, body.data.message, body.data)
    : new CallError(response.status, messages.unexpected)
}

/**
 * Performs a declared call and gives its reply, parsed by the contract's schema. Throws CallError when the server refuses, does
 * not answer, or answers what was not agreed; asks for sign-in on 401; a cancelled call throws the signal's reason.
 */
export function call<C extends Call & { reply: z.ZodType }>(
  declaration: C,
  request: RequestOf<C>,
): Promise<z.output<C['reply']>>
export function call<C extends Call & { reply?: undefined }>(
  declaration: C,
  request: RequestOf<C>,
): Promise<undefined>
export async function call(declaration: Call, request: AnyRequest): Promise<unknown> {
  const { params, query, body, signal } = request
  const response = await fetch(addressOf(declaration.path, params, query), {
    method: declaration.method,
    headers: {
      accept: 'application/json',
      'x-xsrf-token': antiForgeryToken(document.cookie),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  }).catch(() => {
    signal?.throwIfAborted()
    throw new CallError(0, messages.no_answer)
  })
  if (response.status === 401) requestLogin()
  if (!response.ok) throw await failure(response)
  if (declaration.reply === undefined) return undefined
  const parsed = declaration.reply.safeParse(await response.json().catch(() => null))
  if (!parsed.success) throw new CallError(response.status, messages.unexpected)
  return parsed.data
}
