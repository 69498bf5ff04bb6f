import * as z from 'zod/mini'

/** Right of a token; each includes the previous ones. `read`; `run`: also start and stop runs; `edit`: also change stored data. */
export const Right = z.enum(['read', 'run', 'edit'])
export type Right = z.infer<typeof Right>

/** A file as reply: its content type, and the suggested file name. */
export type Download = { content_type: string; filename: string }

/** A multipart upload: name of its file field, maximum size in bytes, and additional form fields. */
export type Upload = { field: string; max_bytes: number; options?: z.core.$ZodObject }

/**
 * One HTTP call, declared once for server and web. Bodies and queries are strict objects; paths write parameters as `:id`.
 *
 * - `access`: `session` by default.
 * - `needs`: minimum right of a token, see `rightFor`.
 * - `rate_limit: 'strict'`: few requests per minute and IP address.
 * - `shared`: the reply is the same for all callers; concurrent requests share one execution.
 * - `commits_first`: commits before the reply, because a worker has to see the change or an external service is called. The change
 *   is kept if the reply fails.
 * - `idempotent`: takes an Idempotency-Key header; a repeated request with the same key gets the first reply.
 *
 * The response is one of `reply` (JSON), `download`, `events` (server-sent), `redirect`, or empty (204).
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
  idempotent?: true
  params?: z.core.$ZodObject
  query?: z.core.$ZodObject
  body?: z.core.$ZodType
  upload?: Upload
  status?: 200 | 201 | 202 | 204
  reply?: z.core.$ZodType
  /** Reply with status 202 while the requested work continues. */
  accepted?: z.core.$ZodType
  download?: Download
  events?: z.core.$ZodType
  redirect?: true
}

/**
 * Minimum right of a token for a call: `needs` of the call, else `read` for GET and `edit` for other methods. `person`: only a
 * browser session may make it; administrator calls are of this kind.
 */
export const rightFor = ({ access, needs, method }: Pick<Call, 'access' | 'needs' | 'method'>) =>
  needs ?? (access === 'admin' ? 'person' : method === 'GET' ? 'read' : 'edit')

/** The calls of one feature by name. */
export type Calls = Record<string, Call>

type Output<T> = T extends z.core.$ZodType ? z.output<T> : undefined
type Part<C extends Call, K extends keyof Call> = K extends keyof C ? Output<C[K]> : undefined

/** Parsed parts of a request, as handlers receive them. */
export type ParamsOf<C extends Call> = Part<C, 'params'>
export type QueryOf<C extends Call> = Part<C, 'query'>
export type BodyOf<C extends Call> = Part<C, 'body'>

/** Input types of the same schemas, as clients send them. */
export type InputOf<C extends Call, K extends 'params' | 'query' | 'body'> = K extends keyof C
  ? C[K] extends z.core.$ZodType
    ? z.input<C[K]>
    : undefined
  : undefined
