import * as z from 'zod/mini'
import { addressOf } from '../../contract/address.ts'
import type { Call, Download, InputOf, Upload } from '../../contract/calls.ts'
import { ErrorBody } from '../../contract/error-body.ts'
import { frameMessages } from '../../contract/system/client-messages.ts'

import { antiForgeryToken } from './anti-forgery-token.ts'
import { loginIfRefused } from './login-request.ts'
import { noteServerTime } from './server-clock.ts'

/** A call that did not succeed: HTTP status (0: no answer came), name in the catalogue where the server said it, text for a person, and the fields it names; `explained` where the text is the server's own. */
export class CallError extends Error {
  override name = 'CallError'
  readonly status: number
  readonly code: string | undefined
  readonly field: string | undefined
  readonly errors: ErrorBody['errors']
  readonly explained: boolean
  /** The `error` field of the answer, which may differ from `message` where the server is not ours. */
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

// in an address a number is as good as its digits
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

/** What a call must be given: what its declaration asks for, and a signal if it shall be cancelled. */
export type RequestOf<C extends Call> = Part<'params', Wire<InputOf<C, 'params'>>> &
  Part<'query', Wire<InputOf<C, 'query'>>> &
  Part<'body', InputOf<C, 'body'>> &
  FilePart<C> & { signal?: AbortSignal }

type AnyRequest = {
  params?: object
  query?: object
  body?: unknown
  file?: File | undefined
  /** The form's other fields. */
  options?: object
  signal?: AbortSignal
}

// what stands between us and the server may answer in its place, with words in another shape or none
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

// JSON, or a bare sentence; a page that something in between has made is nothing to show
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
 * Performs a declared call and returns its reply, parsed by the contract's schema. Throws CallError when the server refuses, does
 * not answer, or answers what was not agreed; asks for sign-in on 401; a cancelled call throws the signal's reason.
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

/** A file that was fetched, what the server calls it, and the CSV job that made it, if one did. */
export type DownloadedFile = { blob: Blob; filename: string; job_id: number | null }

/** Fetches a declared download whole. Throws as `call` does. */
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

// Of a form the browser writes the content type itself: it holds the boundary.
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
