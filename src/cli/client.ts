import * as z from 'zod/mini'
import { addressOf } from '../contract/address.ts'
import type { Call, Download, InputOf } from '../contract/calls.ts'
import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { ErrorBody } from '../contract/error-body.ts'

/** The server did not answer (status 0) or refused; `code` is the refusal's name in its catalogue. */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  readonly code: string | undefined
  constructor(status: number, message: string, code?: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

// In an address a number is as good as its digits.
type Wire<T> = { [K in keyof T]: string extends T[K] ? T[K] | number : T[K] }
type Part<K extends string, T> = [T] extends [undefined]
  ? { [Key in K]?: undefined }
  : Record<never, never> extends T
    ? { [Key in K]?: T }
    : { [Key in K]: T }
type RequestOf<C extends Call> = Part<'params', Wire<InputOf<C, 'params'>>> &
  Part<'query', Wire<InputOf<C, 'query'>>> &
  Part<'body', InputOf<C, 'body'>> & { file?: { name: string; content: Blob } }
type AnyRequest = {
  params?: object
  query?: object
  body?: unknown
  file?: { name: string; content: Blob }
}

type Accepted<C> = C extends { accepted: infer Other extends z.core.$ZodType } ? z.output<Other> : never

/** Makes declared calls to one server as the owner of a token. Each throws Refused, or the signal's reason. */
export type Client = {
  call<C extends Call & { reply: z.core.$ZodType }>(
    declaration: C,
    request: RequestOf<C>,
  ): Promise<z.output<C['reply']> | Accepted<C>>
  download<C extends Call & { download: Download }>(declaration: C): Promise<AsyncIterable<Uint8Array>>
}

type Access = { url: string; token: string; signal: AbortSignal }

/** A client of the server at that address. */
export function createClient({ url, token, signal }: Access): Client {
  const send = async (declaration: Call, request: AnyRequest): Promise<Response> => {
    const address = new URL(addressOf(declaration.path, request.params, request.query), url)
    const { body, type } = payloadOf(declaration, request)
    const response = await fetch(address, {
      method: declaration.method,
      // A redirect would carry the token elsewhere.
      redirect: 'error',
      headers: { authorization: `Bearer ${token}`, ...(type === undefined ? {} : { 'content-type': type }) },
      body,
      signal,
    }).catch(noAnswer)
    if (!response.ok) throw await refusal(response)
    return response
  }
  const noAnswer = (error: unknown): never => {
    signal.throwIfAborted()
    throw new Refused(0, messages.no_answer(url, reasonOf(error)))
  }
  async function* pieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    const reader = body.getReader()
    try {
      for (;;) {
        const { done, value } = await reader.read().catch(noAnswer)
        if (done) return
        yield value
      }
    } finally {
      await reader.cancel().catch(() => undefined)
    }
  }
  return {
    call: async (declaration: Call & { reply: z.core.$ZodType }, request: AnyRequest) => {
      const response = await send(declaration, request)
      const schema =
        response.status === 202 && declaration.accepted ? declaration.accepted : declaration.reply
      const text = await response.text().catch(noAnswer)
      const parsed = z.safeParse(schema, jsonOf(text))
      if (!parsed.success) throw new Refused(response.status, messages.other_version)
      // What the declaration says of the reply is lost on the way through one implementation for all.
      return parsed.data as never
    },
    download: async (declaration) => {
      const { body } = await send(declaration, {})
      if (body === null) throw new Refused(0, messages.other_version)
      return pieces(body)
    },
  }
}

function payloadOf(
  { upload }: Call,
  { body, file }: AnyRequest,
): { body: string | FormData | null; type?: string } {
  if (upload && file) {
    const form = new FormData()
    form.set(upload.field, file.content, file.name)
    return { body: form }
  }
  return body === undefined ? { body: null } : { body: JSON.stringify(body), type: 'application/json' }
}

/** Null for what is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function refusal(response: Response): Promise<Refused> {
  const body = z.safeParse(ErrorBody, await response.json().catch(() => null))
  return body.success
    ? new Refused(response.status, body.data.message, body.data.code)
    : new Refused(response.status, messages.no_rowferry(response.status))
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
