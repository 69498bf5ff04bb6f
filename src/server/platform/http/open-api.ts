import { z } from 'zod'
import { type Call, rightFor } from '../../../contract/calls.ts'
import { ErrorBody } from '../../../contract/error-body.ts'
import { limits } from '../../../contract/limits.ts'
import { exampleFile, exampleLocation, exampleOf } from './open-api-examples.ts'

/** A call and its name within its feature. */
export type NamedCall = { name: string; call: Call }

type Schema = Record<string, unknown>

/** The OpenAPI 3.1 document of the calls, created from their schemas on the first request. */
export function openApiDocument(calls: NamedCall[], version: string): Schema {
  let paths: Schema | undefined
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rowferry',
      version,
      description:
        'Every call needs a session or a token unless it says otherwise. With a session, every method but GET also needs the header X-XSRF-TOKEN with the value of the cookie XSRF-TOKEN. A token (`Authorization: Bearer rowferry_…`, made under API Tokens in the account menu) needs the right that the call names: `read`, `run` or `edit`, each of which includes the ones before.',
    },
    get paths() {
      paths ??= pathsOf(calls)
      return paths
    },
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'rowferry_session' },
        token: { type: 'http', scheme: 'bearer' },
        anti_forgery: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
      },
    },
  }
}

function pathsOf(calls: NamedCall[]): Schema {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const named of calls) {
    const path = named.call.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [named.call.method.toLowerCase()]: operation(named) }
  }
  return paths
}

function operation({ name, call }: NamedCall): Schema {
  const tag = tagOf(call.path)
  const body = requestBody(call)
  return {
    operationId: `${tag}_${name}`,
    summary: call.summary,
    tags: [tag],
    security: security(call),
    parameters: [
      ...parameters('path', call.params),
      ...parameters('query', call.query),
      ...(call.idempotent ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body && { requestBody: body }),
    responses: {
      [successStatus(call)]: success(call),
      ...(call.accepted && { 202: success({ ...call, reply: call.accepted }) }),
      ...Object.fromEntries(refusalsOf(call).map(([status, why]) => [status, refusal(why)])),
      default: refusal('Failed; `message` says why'),
    },
  }
}

const IDEMPOTENCY_KEY: Schema = {
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotency_key_characters },
  description:
    'For one day, a request of the same user with the same key and body gets the first reply and changes nothing; with another body it is refused with 409',
}

const refusal = (description: string): Schema => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

/** The errors of a call by status; `code` in the body distinguishes them. */
function refusalsOf(call: Call): [number, string][] {
  const { access, method, params, query, body, upload } = call
  const is_change = method !== 'GET'
  const may: [boolean, number, string][] = [
    [Boolean(query ?? body ?? upload), 400, 'What was sent is not valid; `field` and `errors` name it'],
    [access !== 'public', 401, 'No session, and no token that is valid'],
    [
      access === 'admin' || is_change,
      403,
      'Not for this person or this token, or the anti-forgery header is missing',
    ],
    [Boolean(params ?? query), 404, 'What is named is not there'],
    [
      is_change,
      409,
      'It contradicts what is there: a name that is taken, something in use or changed meanwhile',
    ],
    [Boolean(body ?? upload), 413, 'Too large'],
    [Boolean(body ?? upload), 415, body ? 'Not uncompressed JSON' : 'Not a form with a file'],
    [is_change, 422, 'It refers to what is gone, or what was begun did not end well'],
    [true, 429, 'Too many requests; Retry-After says when the next may come'],
    [true, 503, 'The database or Google does not answer; Retry-After says when to try again'],
  ]
  return may.flatMap(([is, status, why]) => (is ? [[status, why] as [number, string]] : []))
}

const tagOf = (path: string) => path.split('/').find((part) => part !== '' && part !== 'api') ?? 'rowferry'

function security(call: Call): Record<string, string[]>[] {
  if (call.access === 'public') return []
  const right = rightFor(call)
  const session: Record<string, string[]> =
    call.method === 'GET' ? { session: [] } : { session: [], anti_forgery: [] }
  return right === 'person' ? [session] : [session, { token: [right] }]
}

function parameters(location: 'path' | 'query', fields: z.core.$ZodObject | undefined): Schema[] {
  if (!fields) return []
  return Object.entries(fields._zod.def.shape).map(([name, field]) => ({
    in: location,
    name,
    required: location === 'path' || !z.safeParse(field, undefined).success,
    schema: schemaOf(field, 'input'),
  }))
}

function requestBody({ body, upload }: Call): Schema | undefined {
  if (body) {
    const schema = schemaOf(body, 'input')
    return { required: true, content: { 'application/json': withExample(schema) } }
  }
  if (!upload) return undefined
  const options = upload.options ? schemaOf(upload.options, 'input') : {}
  const properties = typeof options.properties === 'object' ? options.properties : {}
  const file = {
    type: 'string',
    format: 'binary',
    description: `At most ${upload.max_bytes} bytes`,
  }
  const schema = {
    ...options,
    type: 'object',
    properties: { ...properties, [upload.field]: file },
    required: [upload.field],
  }
  // curl's syntax for a file.
  const example = { ...Object(exampleOf(options)), [upload.field]: '@tasks.csv' }
  return { required: true, content: { 'multipart/form-data': { schema, example } } }
}

function successStatus({ status, reply, download, events, redirect }: Call): number {
  if (redirect) return 302
  return status ?? (reply || download || events ? 200 : 204)
}

function success({ path, reply, download, events, redirect }: Call): Schema {
  if (redirect) {
    const location = { schema: { type: 'string' }, example: exampleLocation(path) }
    return { description: 'Go there', headers: { location } }
  }
  if (download) {
    return {
      description: download.filename,
      content: {
        [download.content_type]: { schema: { type: 'string' }, example: exampleFile(download.filename) },
      },
    }
  }
  if (events) {
    const content = { 'text/event-stream': withExample(schemaOf(events, 'output')) }
    return { description: 'A stream; each event’s data is JSON', content }
  }
  if (!reply) return { description: 'Done' }
  return { description: 'Done', content: { 'application/json': withExample(schemaOf(reply, 'output')) } }
}

const withExample = (schema: Schema): Schema => ({ schema, example: exampleOf(schema) })

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
