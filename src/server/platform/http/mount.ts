import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Call, Calls } from '../../../contract/calls.ts'
import { NamedError } from '../errors.ts'
import { sharedReplies } from './coalesced-replies.ts'
import { commitWithReply, isCommittedWithReply } from './commit-with-reply.ts'
import { compiled } from './compiled.ts'
import { cookiesOf } from './cookies.ts'
import { eventStream } from './event-stream.ts'
import { Accepted, type CallRequest, type Feature, type FileAnswer, type SharedRequest } from './feature.ts'
import { refuseStranger } from './guard.ts'
import { refuseHostile } from './json-body.ts'
import { parseInput } from './parse.ts'
import { jsonStream, StreamedReply } from './streamed-reply.ts'
import { receiveUpload } from './upload.ts'

const NoFields = z.strictObject({})

const JSON_HEADERS = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }

type AnyHandler<Deps> = (request: CallRequest<Call> | SharedRequest<Call>, deps: Deps) => unknown

/** Adds a route for each call of the feature: guarded, strictly parsed, with the declared reply. */
export function mount<C extends Calls, Deps>(
  app: FastifyInstance,
  feature: Feature<C, Deps>,
  deps: NoInfer<Deps>,
): void {
  for (const [name, call] of Object.entries(feature.calls)) {
    // The handler's type matches the call's schemas; only the loop loses that type.
    const handler = feature.handlers[name] as unknown as AnyHandler<Deps>
    app.http.calls.push({ name, call })
    const answered = withCompiled(call)
    const shared =
      call.shared && sharedReplies(async (request) => written(answered, await handler(request, deps)))
    app.route({
      method: call.method,
      url: call.path,
      // A file is generated per download; some are written by a worker's job.
      exposeHeadRoute: call.method === 'GET' && !call.events && !call.redirect && !call.download,
      // A compressor would buffer events.
      ...(call.events ? { compress: false as const } : {}),
      config: { access: call.access ?? 'session', call, constraints: feature.constraints ?? {} },
      handler: async (request, reply) => {
        const parsed = await parseRequest(call, request, reply)
        if (shared) return shared(parsed, { request, reply: reply.headers(JSON_HEADERS) })
        const slots = call.events ? app.http.streams : asksToWait(parsed.query) ? app.http.waits : null
        const ended =
          request.session &&
          slots?.take(request.session, {
            closed: parsed.signal,
            isSessionValid: () => app.http.isSessionValid(request),
          })
        const signal = ended ? AbortSignal.any([parsed.signal, ended]) : parsed.signal
        if (isCommittedWithReply(call) && !asksToWait(parsed.query)) {
          const text = await commitWithReply(deps, async (own) => {
            const answer = await handler(parsed, own)
            return call.reply && written(answered, answer)
          })
          return sendText(call, text, reply)
        }
        const answer = await handler({ ...parsed, signal }, deps)
        if (ended?.aborted && !call.events) refuseStranger(request)
        if (answer instanceof StreamedReply) return reply.headers(JSON_HEADERS).send(await jsonStream(answer))
        return send(answered, answer, { reply, signal })
      },
    })
  }
}

const withCompiled = (call: Call): Call => ({
  ...call,
  ...(call.reply && { reply: compiled(call.reply) }),
  ...(call.events && { events: compiled(call.events) }),
})

const written = ({ reply = z.unknown() }: Call, answer: unknown) => JSON.stringify(z.parse(reply, answer))

async function parseRequest(
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CallRequest<Call>> {
  const params = call.params && z.safeParse(call.params, request.params)
  if (params?.success === false) throw new NamedError('not_found')
  refuseHostile(request.params)
  const query = parseInput(call.query ?? NoFields, request.query)
  refuseHostile(query)
  const received = {
    params: params?.data,
    query: call.query ? query : undefined,
    body: parseBody(call, request),
    upload: call.upload ? await receiveUpload(request, reply, call.upload) : undefined,
    user: request.session?.user ?? null,
    session: request.session,
    url: request.url,
    headers: request.headers,
    cookies: cookiesOf(request, reply, request.server.http.secure),
    signal:
      call.events || asksToWait(query)
        ? AbortSignal.any([hangUp(reply), request.server.http.closing])
        : hangUp(reply),
    log: request.log,
  }
  // The guard has already rejected requests without a session.
  return received as unknown as CallRequest<Call>
}

/** Whether the reply waits for the end of a run or job. */
export const asksToWait = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && 'wait' in query && query.wait !== undefined

function parseBody(call: Call, request: FastifyRequest): unknown {
  if (call.upload) return undefined
  if (request.isMultipart()) throw new NamedError('unsupported_type')
  if (!call.body) {
    if (request.body !== undefined) parseInput(NoFields, request.body)
    return undefined
  }
  if (request.body === undefined && !z.safeParse(call.body, undefined).success)
    throw new NamedError('body_missing')
  return parseInput(call.body, request.body)
}

// Created once, because its creation costs a considerable part of a small read.
const HUNG_UP = new DOMException('The connection is over', 'AbortError')

function hangUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort(HUNG_UP))
  return controller.signal
}

type Exchange = { reply: FastifyReply; signal: AbortSignal }

function send(call: Call, answer: unknown, { reply, signal }: Exchange): FastifyReply {
  reply.header('cache-control', 'no-store')
  if (call.events) return sendEvents(call.events, answer, { reply, signal })
  if (call.redirect) return reply.redirect(Redirect.parse(answer).location)
  if (answer instanceof Accepted && call.accepted)
    return reply.code(202).send(z.parse(call.accepted, answer.answer))
  reply.code(call.status ?? 200)
  if (call.download) {
    const { content, filename = call.download.filename, job_id }: FileAnswer = fileOf(answer)
    if (job_id !== undefined) reply.header('x-csv-job-id', job_id)
    return reply
      .type(call.download.content_type)
      .header('content-disposition', `attachment; ${fileNames(filename)}`)
      .send(content)
  }
  return sendText(call, call.reply && written(call, answer), reply)
}

/** Sends a serialised reply; undefined: the call has none. */
function sendText(call: Call, text: string | undefined, reply: FastifyReply): FastifyReply {
  if (text === undefined) return reply.code(204).header('cache-control', 'no-store').send()
  return reply
    .code(call.status ?? 200)
    .headers(JSON_HEADERS)
    .send(text)
}

const File = z.object({
  content: z.union([z.string(), z.instanceof(Readable)]),
  filename: z.optional(z.string()),
  job_id: z.optional(z.int()),
})

const fileOf = (answer: unknown) =>
  typeof answer === 'string' || answer instanceof Readable ? { content: answer } : File.parse(answer)

const Redirect = z.object({ location: z.string() })

function sendEvents(event: z.core.$ZodType, answer: unknown, { reply, signal }: Exchange): FastifyReply {
  if (!isAsyncIterable(answer)) throw new TypeError('An event call must answer with an async iterable')
  // Proxies buffer small writes by default; `connection: close` lets the server close when the stream ends.
  reply.headers({ 'x-accel-buffering': 'no', connection: 'close' })
  return reply.type('text/event-stream; charset=utf-8').send(eventStream(answer, { event, signal }))
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Parameters of Content-Disposition (RFC 6266): a name that every client reads, and the exact one if it differs. */
function fileNames(filename: string): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  )
  return plain === filename ? `filename="${plain}"` : `filename="${plain}"; filename*=UTF-8''${exact}`
}
