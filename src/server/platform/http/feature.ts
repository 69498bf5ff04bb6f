import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { z } from 'zod'
import type { BodyOf, Call, Calls, Download, ParamsOf, QueryOf, Upload } from '../../../contract/calls.ts'
import type { Session, SessionUser } from '../auth/sessions.ts'
import type { Constraints } from '../postgres/errors.ts'
import type { Cookies } from './cookies.ts'
import type { StreamedReply } from './streamed-reply.ts'
import type { ReceivedFile } from './upload.ts'

/** What a handler receives: the request, parsed by the call's schemas, and the user. */
export type CallRequest<C extends Call> = {
  params: ParamsOf<C>
  query: QueryOf<C>
  body: BodyOf<C>
  upload: C extends { upload: Upload } ? ReceivedFile : undefined
  /** Null for public calls only. */
  user: C extends { access: 'public' } ? SessionUser | null : SessionUser
  session: C extends { access: 'public' } ? Session | null : Session
  /** Original path and query. */
  url: string
  headers: IncomingHttpHeaders
  cookies: Cookies
  /** Aborted when the caller disconnects. */
  signal: AbortSignal
  log: FastifyBaseLogger
}

/** What the handler of a shared call receives: nothing specific to a caller. */
export type SharedRequest<C extends Call> = Pick<CallRequest<C>, 'params' | 'query'>

/** A file to download: its content, a more specific name than the declared one, and the CSV job that wrote it. */
export type FileAnswer = { content: Readable | string; filename?: string; job_id?: number }

/** What a handler returns instead of the reply if the work continues. */
export class Accepted<T> {
  readonly answer: T
  constructor(answer: T) {
    this.answer = answer
  }
}

/** What a handler returns, as the call declares it; undeclared fields of a JSON reply are removed. */
export type Answer<C extends Call> = C extends { reply: infer Reply extends z.core.$ZodType }
  ?
      | z.input<Reply>
      | (z.input<Reply> extends object ? StreamedReply<z.input<Reply>> : never)
      | (C extends { accepted: infer Other extends z.core.$ZodType } ? Accepted<z.input<Other>> : never)
  : C extends { download: Download }
    ? Readable | string | FileAnswer
    : C extends { events: infer Event extends z.core.$ZodType }
      ? AsyncIterable<z.input<Event>>
      : C extends { redirect: true }
        ? { location: string }
        : undefined

type Handler<C extends Call, Deps> = (
  request: C extends { shared: true } ? SharedRequest<C> : CallRequest<C>,
  deps: Deps,
) => Answer<C> | Promise<Answer<C>> | (Answer<C> extends undefined ? Promise<void> | void : never)

/** One handler per call, under the same name. */
export type Handlers<C extends Calls, Deps> = { [Name in keyof C]: Handler<C[Name], Deps> }

/** What a feature's routes.ts exports: its calls, their handlers, and the constraints that they may violate. */
export type Feature<C extends Calls, Deps> = {
  calls: C
  handlers: Handlers<C, Deps>
  constraints?: Constraints
}
