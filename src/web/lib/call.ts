import * as z from 'zod/mini'
import { addressOf } from '../../contract/address.ts'
import type { Call, Download, InputOf, Upload } from '../../contract/calls.ts'
import { ErrorBody } from '../../contract/error-body.ts'
import { frameMessages } from '../../contract/system/client-messages.ts'

import { antiForgeryToken } from './anti-forgery-token.ts'
import { loginIfRefused } from './login-request.ts'
import { noteServerTime } from './server-clock.ts'

/**
 * A failed call: HTTP status (0: no reply), error code of the catalogue if the server sent one, message, and the fields it names.
 * `explained`: the message is from the server.
 */
export class CallError extends Error {
  override name = 'CallError'
  readonly status: number
  readonly code: string | undefined
  readonly field: string | undefined
  readonly errors: ErrorBody['errors']
  readonly explained: boolean
  /** The `error` field of the reply. Behind a proxy it can differ from `message`. */
  readonly error: string | undefined

  constructor(status: number, message: string, body?: Partial<ErrorBody>) {
    super(message)
    this.status = status
    this.code = body?.code
    this.field = body?.field
    this.errors = body?.errors
    this.explained = body !== undefined
    this.error = body?.error || undefined
  }
}

// Path and query parameters accept numbers in place of strings.
type Wire<T> = { [K in keyof T]: string extends T[K] ? T[K] | number : T[K] }
type Part<K extends string, T> = [T] extends [undefined]
  ? { [Key in K]?: undefined }
  : Record<never, never> extends T
    ? { [Key in K]?: T }
    : { [Key in K]: T }

type FilePart<C extends Call> = C extends { upload: { options: z.core.$ZodObject } }
  ? { file: File; options: { [K in keyof z.input<C['upload']['options']>]: boolean } }
  : C extends { upload: Upload }
    ? { file: File }
    : { file?: undefined }

/** Arguments of a call: what its declaration requires, and an optional signal. */
export type RequestOf<C extends Call> = Part<'params', Wire<InputOf<C, 'params'>>> &
  Part<'query', Wire<InputOf<C, 'query'>>> &
  Part<'body', InputOf<C, 'body'>> &
  FilePart<C> & { signal?: AbortSignal }

type AnyRequest = {
  params?: object
  query?: object
  body?: unknown
  file?: File | undefined
  /** Other fields of the form. */
  options?: object
  signal?: AbortSignal
}

// A proxy may reply instead of the server, with another body or none.
const Refusal = z.pipe(
  z.transform((body: unknown) => (typeof body === 'string' ? { message: body } : body)),
  z.extend(z.partial(ErrorBody), { description: z.optional(z.string()) }),
)

async function failure(response: Response): Promise<CallError> {
  const body = Refusal.safeParse(await bodyOf(response)).data
  const labels = body?.message || body?.error || body?.description
  return new CallError(
    response.status,
    labels || frameMessages.unexpected,
    labels || body?.errors ? body : undefined,
  )
}

// JSON or plain text. An HTML page comes from a proxy and is not shown.
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => '')
  if (response.headers.get('content-type')?.startsWith('text/plain')) return text
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type Accepted<C> = C extends { accepted: infer Other extends z.core.$ZodType } ? z.output<Other> : never

/**
 * Performs a declared call and returns the reply, parsed by the schema of its contract. Throws CallError on an error status, on no
 * reply, or on a reply that does not match; requests a sign-in on 401; throws the signal's reason if cancelled.
 */
export function call<C extends Call & { reply: z.core.$ZodType }>(
  declaration: C,
  request: RequestOf<C>,
): Promise<z.output<C['reply']> | Accepted<C>>
export function call<C extends Call & { reply?: undefined }>(
  declaration: C,
  request: RequestOf<C>,
): Promise<undefined>
export async function call(declaration: Call, request: AnyRequest): Promise<unknown> {
  const response = await send(declaration, request)
  if (declaration.reply === undefined) return undefined
  const schema = response.status === 202 && declaration.accepted ? declaration.accepted : declaration.reply
  const parsed = z.safeParse(schema, await response.json().catch(() => null))
  if (!parsed.success) throw new CallError(response.status, frameMessages.unexpected)
  return parsed.data
}

/** A downloaded file, its name from the server, and the CSV job that created it, if any. */
export type DownloadedFile = { blob: Blob; filename: string; job_id: number | null }

/** Downloads a declared file completely. Throws like `call`. */
export async function download<C extends Call & { download: Download }>(
  declaration: C,
  request: RequestOf<C>,
): Promise<DownloadedFile> {
  const response = await send(declaration, request)
  const { signal } = request
  const blob = await response.blob().catch(() => {
    signal?.throwIfAborted()
    throw new CallError(0, frameMessages.no_answer)
  })
  const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')
  return {
    blob,
    filename: named?.[1] ?? declaration.download.filename,
    job_id: Number(response.headers.get('x-csv-job-id')) || null,
  }
}

async function send(declaration: Call, request: AnyRequest): Promise<Response> {
  const { params, query, signal } = request
  const { body, type } = payloadOf(declaration, request)
  const sent = Date.now()
  const askForLogin = loginIfRefused()
  const response = await fetch(addressOf(declaration.path, params, query), {
    method: declaration.method,
    headers: {
      accept: 'application/json',
      'x-xsrf-token': antiForgeryToken(document.cookie),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    body,
    signal: signal ?? null,
  }).catch(() => {
    signal?.throwIfAborted()
    throw new CallError(0, frameMessages.no_answer)
  })
  noteServerTime(response.headers.get('date'), sent)
  if (response.status === 401) askForLogin()
  if (!response.ok) throw await failure(response)
  return response
}

// For a form, the browser sets the content type, since it contains the boundary.
function payloadOf(
  { upload }: Call,
  { body, file, options = {} }: AnyRequest,
): { body: BodyInit | null; type?: string } {
  if (upload && file) {
    const form = new FormData()
    for (const [name, value] of Object.entries(options)) form.set(name, String(value))
    form.set(upload.field, file)
    return { body: form }
  }
  return body === undefined ? { body: null } : { body: JSON.stringify(body), type: 'application/json' }
}
