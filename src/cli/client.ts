import * as z from 'zod/mini'
import { addressOf } from '../contract/address.ts'
import type { Call, Download } from '../contract/calls.ts'
import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { ErrorBody } from '../contract/error-body.ts'
import { MCP_PATH } from '../contract/mcp/endpoint.ts'
import type { AcceptedOf, RequestOf } from '../contract/request-of.ts'

/** The server did not answer (status 0) or rejected the call; `code` is the name of the error in the catalogue. */
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

type FilePart = { file?: { name: string; content: Blob } }
type AnyRequest = {
  params?: object
  query?: object
  body?: unknown
  file?: { name: string; content: Blob }
}

/** Makes declared calls to one server with one token. Each call throws Refused, or the reason of the signal. */
export type Client = {
  call<C extends Call & { reply: z.core.$ZodType }>(
    declaration: C,
    request: RequestOf<C> & FilePart,
  ): Promise<z.output<C['reply']> | AcceptedOf<C>>
  /** Makes a call whose reply has no body. */
  call<C extends Call & { status: 204 }>(declaration: C, request: RequestOf<C>): Promise<null>
  /** Sends a message to the MCP server. Returns its reply; null if it has none. */
  message(message: unknown): Promise<object | null>
  download<C extends Call & { download: Download }>(declaration: C): Promise<AsyncIterable<Uint8Array>>
}

type Access = { url: string; token: string; signal: AbortSignal }

// Its messages are those of the Model Context Protocol, so the contract declares no call.
const mcpMessage = { method: 'POST', path: MCP_PATH, summary: '' } satisfies Call
const JsonRpc = z.looseObject({ jsonrpc: z.literal('2.0') })

/** Client of the server at `url`. */
export function createClient({ url, token, signal }: Access): Client {
  const send = async (declaration: Call, request: AnyRequest): Promise<Response> => {
    const address = new URL(addressOf(declaration.path, request.params, request.query), url)
    const { body, type } = payloadOf(declaration, request)
    const response = await fetch(address, {
      method: declaration.method,
      // Following a redirect could send the token to another host.
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
    call: async (declaration: Call, request: AnyRequest) => {
      const response = await send(declaration, request)
      const schema =
        response.status === 202 && declaration.accepted ? declaration.accepted : declaration.reply
      const text = await response.text().catch(noAnswer)
      if (schema === undefined) return null as never
      const parsed = z.safeParse(schema, jsonOf(text))
      if (!parsed.success) throw new Refused(response.status, messages.other_version)
      // The single generic implementation loses the declared type of the reply.
      return parsed.data as never
    },
    message: async (message) => {
      const response = await send(mcpMessage, { body: message })
      const text = await response.text().catch(noAnswer)
      if (response.status === 202) return null
      const reply = z.safeParse(JsonRpc, jsonOf(text))
      if (!reply.success) throw new Refused(response.status, messages.other_version)
      return reply.data
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

/** Parses JSON; null for invalid JSON. */
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
