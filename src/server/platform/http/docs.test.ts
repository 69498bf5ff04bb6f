import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { rightFor } from '../../../contract/calls.ts'

const Document = z.object({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))),
})

let site: TestApp
let ada: SignedIn
let document: z.infer<typeof Document>
beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
  document = Document.parse((await ada.request('GET', '/api/docs/json')).json())
})

describe('the OpenAPI document', () => {
  test('has every mounted call with a summary and a unique id', () => {
    const ids = new Set<unknown>()
    for (const { call } of site.app.http.calls) {
      const path = call.path.replaceAll(/:(\w+)/g, '{$1}')
      const operation = document.paths[path]?.[call.method.toLowerCase()]
      expect(operation?.summary, path).toBe(call.summary)
      ids.add(operation?.operationId)
    }
    expect(ids.size).toBe(site.app.http.calls.length)
  })

  test('describes parameters and replies of a call as in its schemas', () => {
    expect(document.paths['/api/sync_tasks/{id}/toggle_active']?.post).toMatchObject({
      parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }],
      requestBody: {
        content: {
          'application/json': {
            schema: { properties: { is_active: { type: 'boolean' } }, additionalProperties: false },
          },
        },
      },
      responses: {
        200: {
          content: { 'application/json': { schema: { properties: { is_active: { type: 'boolean' } } } } },
        },
        default: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
      },
      security: [{ session: [], anti_forgery: [] }, { token: ['edit'] }],
    })
    expect(document.paths['/api/events']?.get).toMatchObject({
      responses: { 200: { content: { 'text/event-stream': {} } } },
      security: [{ session: [] }, { token: ['read'] }],
    })
    expect(document.paths['/auth/login']?.get).toMatchObject({ responses: { 302: {} }, security: [] })
  })
})

test('every body has an example that the call accepts', () => {
  const bodies = site.app.http.calls.filter(({ call }) => call.body)
  expect(bodies.length).toBeGreaterThan(30)
  const Body = z.object({ content: z.object({ 'application/json': z.object({ example: z.unknown() }) }) })
  const refused = bodies.flatMap(({ call }) => {
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}')
    const { content } = Body.parse(document.paths[path]?.[call.method.toLowerCase()]?.requestBody)
    const { example } = content['application/json']
    const issues = (call.body && z.safeParse(call.body, example).error?.issues) ?? []
    return issues.map(({ path: place, message }) => [path, place.join('.'), message])
  })
  expect(refused).toEqual([])
})

test('every upload has an example: a file under its field’s name, and the other fields', () => {
  const Form = z.object({
    content: z.object({
      'multipart/form-data': z.object({ example: z.record(z.string(), z.unknown()) }),
    }),
  })
  let uploads = 0
  for (const { call } of site.app.http.calls) {
    if (!call.upload) continue
    uploads += 1
    const { field, options = z.strictObject({}) } = call.upload
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}')
    const { content } = Form.parse(document.paths[path]?.[call.method.toLowerCase()]?.requestBody)
    const { [field]: file, ...others } = content['multipart/form-data'].example
    expect(file, path).toMatch(/^@.*\.csv$/)
    expect(z.safeParse(options, others).error?.issues ?? [], path).toEqual([])
  }
  expect(uploads).toBeGreaterThan(3)
})

test('every JSON reply has an example that matches its declaration', () => {
  const Answer = z.object({
    content: z.record(z.string(), z.object({ example: z.unknown() })),
  })
  const answers = site.app.http.calls.flatMap(({ call }) => {
    const { reply, events, accepted, status = 200, download, redirect } = call
    if (download || redirect) return []
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}')
    const responses = z
      .record(z.string(), z.unknown())
      .parse(document.paths[path]?.[call.method.toLowerCase()]?.responses)
    const schemas = [
      { schema: reply ?? events, status },
      { schema: accepted, status: 202 },
    ]
    return schemas.flatMap(({ schema, status }) =>
      schema ? [{ path, schema, answer: responses[status] }] : [],
    )
  })
  expect(answers.length).toBeGreaterThan(100)
  const wrong = answers.flatMap(({ path, schema, answer }) =>
    Object.values(Answer.parse(answer).content).flatMap(({ example }) =>
      (z.safeParse(schema, example).error?.issues ?? []).map(({ path: place, message }) => [
        path,
        place.join('.'),
        message,
      ]),
    ),
  )
  expect(wrong).toEqual([])
})

test('every file has an example with its columns; every redirect lists its destinations', async () => {
  const File = z.object({
    responses: z.object({
      200: z.object({ content: z.record(z.string(), z.object({ example: z.string() })) }),
    }),
  })
  const Redirect = z.object({
    responses: z.object({
      302: z.object({ headers: z.object({ location: z.object({ example: z.string().min(1) }) }) }),
    }),
  })
  let files = 0
  let redirects = 0
  for (const { call } of site.app.http.calls) {
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}')
    const operation = document.paths[path]?.[call.method.toLowerCase()]
    if (call.redirect) {
      Redirect.parse(operation)
      redirects += 1
    }
    if (!call.download) continue
    files += 1
    const [{ example } = { example: '' }] = Object.values(File.parse(operation).responses[200].content)
    const rows = parse(example)
    expect(rows.length, path).toBeGreaterThan(1)
    // Names of a user's own rows cannot be known in advance.
    if (!call.params && !['/api/compiler/export', '/api/compiler/changes/export'].includes(path)) {
      const real = await ada.request('GET', path)
      expect(rows[0], path).toEqual(parse(real.body.replace(/^\uFEFF/, ''))[0])
    }
  }
  expect([files, redirects]).toEqual([15, 2])
})

test('every call lists its errors and the right that a token needs', () => {
  for (const { call } of site.app.http.calls) {
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}')
    const operation = document.paths[path]?.[call.method.toLowerCase()]
    const statuses = Object.keys(z.record(z.string(), z.unknown()).parse(operation?.responses))
    expect(statuses, path).toEqual(expect.arrayContaining(['429', '503', ...(call.params ? ['404'] : [])]))
    expect(statuses.includes('401'), path).toBe(call.access !== 'public')
    const token = JSON.stringify(operation?.security).includes('"token"')
    expect(token, path).toBe(call.access !== 'public' && rightFor(call) !== 'person')
  }
})

test('the API documentation opens for signed-in users, within the content security policy', async () => {
  const page = await ada.request('GET', '/api/docs')
  expect(page.statusCode).toBe(200)
  const scripts = [...page.body.matchAll(/<script([^>]*)>([^<]*)</g)]
  expect(scripts.length).toBeGreaterThan(1)
  for (const [, attributes, inline] of scripts) {
    expect(inline?.trim()).toBe('')
    const source = /src="([^"]+)"/.exec(attributes ?? '')?.[1] ?? ''
    expect((await ada.request('GET', source)).statusCode, source).toBe(200)
  }
  const initializer = await ada.request('GET', '/api/docs/static/swagger-initializer.js')
  expect(initializer.body).toContain('X-XSRF-TOKEN')
})
