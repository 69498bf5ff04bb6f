import * as z from 'zod/mini'

/** What a token may do, each more than the one before: look; also start and stop runs; also change what is kept. */
export const Right = z.enum(['read', 'run', 'edit'])
export type Right = z.infer<typeof Right>

/** A reply that is a file: its content type and the name a browser saves it under. */
export type Download = { content_type: string; filename: string }

/** A multipart upload: the name of its one file field, its size limit in bytes, and the form fields beside it. */
export type Upload = { field: string; max_bytes: number; options?: z.core.$ZodObject }

/**
 * One HTTP call, declared once for server and web. Bodies and queries are strict objects; paths write parameters as `:id`.
 * `access` is `session` unless it says otherwise; `needs` is the least right of a token that makes it, see `rightFor`;
 * `rate_limit: 'strict'` allows an address few of them a minute; a `shared` look has the same reply for everybody: who asks for it at
 * the same time gets one that is made once; what a call that `commits_first` changes stays when its reply fails, since it waits for a
 * worker that has to see it, or speaks to the outside. What comes back is one of `reply` (JSON), `download`, `events` (server-sent), `redirect`, or nothing (204).
 */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  access?: 'public' | 'session' | 'admin'
  needs?: Right | 'person'
  rate_limit?: 'strict'
  shared?: true
  commits_first?: true
  params?: z.core.$ZodObject
  query?: z.core.$ZodObject
  body?: z.core.$ZodType
  upload?: Upload
  status?: 200 | 201 | 202 | 204
  reply?: z.core.$ZodType
  /** Answered with 202 in place of `reply` where what was asked for goes on. */
  accepted?: z.core.$ZodType
  download?: Download
  events?: z.core.$ZodType
  redirect?: true
}

/**
 * The least right of a token that makes a call: what the call says; else `read` for a look and `edit` for a change. `person`:
 * only somebody at a browser makes it, as everything that is for administrators.
 */
export const rightFor = ({ access, needs, method }: Pick<Call, 'access' | 'needs' | 'method'>) =>
  needs ?? (access === 'admin' ? 'person' : method === 'GET' ? 'read' : 'edit')

/** The calls of one feature by name. */
export type Calls = Record<string, Call>

type Output<T> = T extends z.core.$ZodType ? z.output<T> : undefined
type Part<C extends Call, K extends keyof Call> = K extends keyof C ? Output<C[K]> : undefined

/** What a handler is given of the request, parsed. */
export type ParamsOf<C extends Call> = Part<C, 'params'>
export type QueryOf<C extends Call> = Part<C, 'query'>
export type BodyOf<C extends Call> = Part<C, 'body'>

/** What the web may send: the input side of the same schemas. */
export type InputOf<C extends Call, K extends 'params' | 'query' | 'body'> = K extends keyof C
  ? C[K] extends z.core.$ZodType
    ? z.input<C[K]>
    : undefined
  : undefined
