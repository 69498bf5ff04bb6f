import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { SignedIn, TestApp } from '../../test/fixtures/app.ts'
import { anywhere, declaredCalls, titleOf } from '../../test/fixtures/declared-calls.ts'
import type { Call } from '../contract/calls.ts'
import { compiled } from './platform/http/compiled.ts'

let site: TestApp
let ada: SignedIn
let calls: Call[]

beforeAll(async () => {
  ;({ site, ada, calls } = await declaredCalls())
})

async function refusalOf(call: Call, rest: { payload?: object | string; query?: Record<string, string> }) {
  const type = typeof rest.payload === 'string' ? 'multipart/form-data; boundary=border' : 'application/json'
  const headers = { ...ada.headers, ...(rest.payload === undefined ? {} : { 'content-type': type }) }
  const reply = await site.app.inject({ method: call.method, url: anywhere(call), headers, ...rest })
  return [reply.statusCode, reply.body]
}

/** Valid path parameters, without which a body is not parsed. */
const needed = ({ query }: Call): Record<string, string> =>
  query && !z.safeParse(query, {}).success ? { compiler_config_id: '1' } : {}

/** The choice between the forms of a body, without which its fields are not known. */
const chosen = ({ body }: Call): object =>
  body instanceof z.core.$ZodDiscriminatedUnion ? firstChoice(body) : {}

function firstChoice({ _zod: { def } }: z.core.$ZodDiscriminatedUnion): object {
  const [value] = def.options[0]?._zod.propValues?.[def.discriminator] ?? []
  return { [def.discriminator]: value }
}

const refused = [400, expect.stringContaining('Unknown field: unheard_of')]

test('an unknown key in a body is refused by every call', async () => {
  const changing = calls.filter(({ method, upload }) => method !== 'GET' && !upload)
  expect(changing.length).toBeGreaterThan(30)
  for (const call of changing)
    expect(
      await refusalOf(call, { payload: { ...chosen(call), unheard_of: 1 }, query: needed(call) }),
      titleOf(call),
    ).toEqual(refused)
})

test('an unknown form field is refused by every upload', async () => {
  const uploads = calls.filter(({ upload }) => upload)
  expect(uploads.length).toBeGreaterThan(0)
  const payload = ['name="file"; filename="tasks.csv"\r\ncontent-type: text/csv', 'name="unheard_of"']
    .map((part) => `--border\r\ncontent-disposition: form-data; ${part}\r\n\r\n1\r\n`)
    .concat('--border--\r\n')
    .join('')
  for (const call of uploads) expect(await refusalOf(call, { payload }), titleOf(call)).toEqual(refused)
})

test('an unknown query parameter is refused by every call except redirect targets', async () => {
  const ours = calls.filter(({ redirect }) => !redirect)
  for (const call of ours)
    expect(await refusalOf(call, { query: { unheard_of: '1' } }), titleOf(call)).toEqual(refused)
})

test('nested objects in a body are strict, too', () => {
  const open: unknown[] = []
  for (const call of calls) {
    const schema = z.toJSONSchema(call.body ?? z.null(), { io: 'input', unrepresentable: 'any' })
    JSON.parse(JSON.stringify(schema), (_key, value) => {
      if (value?.type === 'object' && value.additionalProperties === undefined)
        open.push([titleOf(call), value])
      return value
    })
  }
  expect(open).toEqual([])
})

test('a call validates alike with and without a compiled schema', () => {
  const taken = calls.flatMap(({ body, query }) => [body, query]).filter((schema) => schema !== undefined)
  expect(taken.length).toBeGreaterThan(50)
  for (const schema of taken) {
    const names = schema instanceof z.core.$ZodObject ? Object.keys(schema._zod.def.shape) : []
    const all = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]))
    const values = [
      ...[undefined, null, 0, 'text', [], {}],
      ...[null, 0, 1, -1e308, '', 'text', 'x'.repeat(5_000), true, [], {}].map(all),
      { ...all('text'), constructor: 1, toString: 2 },
      JSON.parse('{"__proto__": {"name": "text"}}'),
    ]
    for (const value of values) {
      const [ours, theirs] = [compiled(schema), schema].map((each) => {
        const { data, error } = z.safeParse(each, value)
        return { data, issues: error?.issues }
      })
      expect(ours).toEqual(theirs)
    }
  }
})
