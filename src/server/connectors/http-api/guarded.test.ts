import { afterAll, beforeAll, expect, test } from 'vitest'
import { OriginServer } from '../../../../test/fakes/origin-server.ts'
import { anySourceContext, readAll } from '../../../../test/fixtures/read-source.ts'
import { ApiSettings } from '../../../contract/connections/calls.ts'
import type { SourceContext } from '../source-context.ts'
import { openApi } from './source.ts'
import { testApi } from './test.ts'

let server: OriginServer
let other: OriginServer
beforeAll(async () => {
  server = await OriginServer.start()
  other = await OriginServer.start()
})
afterAll(() => Promise.all([server.close(), other.close()]))

const QUICK = { backoff: { first_ms: 5, max_ms: 20, give_up_after_ms: 100 } }

async function read(settings: object, use: Partial<SourceContext> = {}) {
  const source = await openApi(
    { name: 'x', settings: ApiSettings.parse(settings) },
    anySourceContext(use),
    QUICK,
  )
  return readAll(source.read())
}
/** Allows the first server only. */
const onlyFirst = (): Partial<SourceContext> => ({ rules: { entries: [`127.0.0.1:${server.port}`] } })

const INSIDE: [string, RegExp][] = [
  ['http://127.0.0.1:1/', /127\.0\.0\.1 \(port 1\) is a loopback address/],
  ['http://localhost/', /localhost \(port 80\) is not on the list/],
  ['http://[::1]/', /::1 \(port 80\) is a loopback/],
  ['http://[::ffff:169.254.169.254]/latest/meta-data', /169\.254\.169\.254 \(port 80\) is a link-local/],
  ['http://169.254.169.254/', /link-local/],
  ['http://0/', /0\.0\.0\.0 \(port 80\) is a reserved/],
  ['http://2130706433/', /127\.0\.0\.1 \(port 80\) is a loopback/],
  ['http://0x7f000001/', /127\.0\.0\.1/],
  ['http://127.1/', /127\.0\.0\.1/],
  ['http://10.0.0.1:8080/', /private/],
  ['http://[fd00::1]/', /private/],
  ['http://metadata.google.internal/', /not on the list/],
  ['file:///etc/passwd', /Only http and https addresses can be read, not file/],
  ['data:application/json,[]', /not data/],
  ['ftp://127.0.0.1/', /not ftp/],
  ['//nonsense', /not a valid URL/],
  ['http://user:pass@127.0.0.1/', /contains a user or password/],
]

test.each(INSIDE)('%s is refused before anything is sent', async (url, message) => {
  await expect(read({ url }, onlyFirst())).rejects.toThrow(message)
})

test.each(INSIDE.filter(([url]) => url !== '//nonsense'))(
  'a redirect to %s is refused',
  async (location, message) => {
    const url = server.on('/redirects', () => ({ status: 302, headers: { location } }))
    await expect(read({ url }, onlyFirst())).rejects.toThrow(message)
  },
)

test.each(INSIDE.filter(([url]) => url !== '//nonsense'))(
  'a next page at %s is refused',
  async (next, message) => {
    const url = server.on('/nexts', () => ({ body: { items: [{ a: 1 }], next } }))
    const settings = { url, list_path: '$.items', paging: { style: 'next_url', url_path: '$.next' } }
    await expect(read(settings, onlyFirst())).rejects.toThrow(message)
  },
)

test('a name that later resolves to an internal address is refused', async () => {
  server.on('/rebinds', ({ response }) => {
    // Forces another connection for the next page.
    response.setHeader('connection', 'close')
    return { body: { items: [{ a: 1 }], next: '/rebinds?page=2' } }
  })
  let lookups = 0
  const resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  const url = `http://rebinds.example:${server.port}/rebinds`
  const settings = { url, list_path: '$.items', paging: { style: 'next_url', url_path: '$.next' } }
  const rules = { entries: ['rebinds.example', '127.0.0.1'] }
  await expect(read(settings, { rules, resolve })).rejects.toMatchObject({
    kind: 'forbidden',
    message:
      'Page 2: rebinds.example leads to 127.0.0.2, a loopback address that is not on the list of allowed hosts.',
  })
  expect(lookups).toBe(2)
})

test('circular redirects are given up', async () => {
  const url = server.on('/circle', () => ({ status: 307, headers: { location: '/circle' } }))
  await expect(read({ url })).rejects.toThrow('redirects too many times')
})

test('secrets are sent to their own host only', async () => {
  const headers = [
    { name: 'X-Api-Key', is_secret: true, value: 'hdr-canary-1' },
    { name: 'Authorization', value: 'Bearer forgot-to-say' },
    { name: 'X-Plain', value: 'plain' },
  ]
  const params = [{ name: 'token', is_secret: true, value: 'prm-canary-2' }]
  const elsewhere = other.on('/there', () => ({ body: [{ a: 1 }] }))
  const moved = server.on('/moved', () => ({ status: 307, headers: { location: elsewhere } }))
  await read({ url: moved, headers, params })
  expect(server.asked.at(-1)?.headers['x-api-key']).toBe('hdr-canary-1')
  const next = server.on('/next-there', () => ({ body: { items: [{ b: 1 }], next: elsewhere } }))
  await read({
    url: next,
    headers,
    params,
    list_path: '$.items',
    paging: { style: 'next_url', url_path: '$.next' },
  }).catch(() => {})
  expect(other.asked.length).toBeGreaterThanOrEqual(2)
  for (const { url, headers: sent } of other.asked) {
    expect(JSON.stringify([url.href, sent])).not.toMatch(/canary|forgot/)
    expect(sent['x-plain']).toBe('plain')
  }
})

test('a next-page address without the key is requested with it and stored without it', async () => {
  const url = server.on('/keyed', ({ url }) => {
    if (url.searchParams.get('key') !== 'key-canary-3') return { status: 401 }
    const page = Number(url.searchParams.get('page') ?? 1)
    return {
      body: {
        items: [{ page }],
        next: page < 3 ? `/keyed?page=${page + 1}` : `/keyed?page=4&key=key-canary-3`,
      },
    }
  })
  const settings = ApiSettings.parse({
    url,
    params: [{ name: 'key', is_secret: true, value: 'key-canary-3' }],
    list_path: '$.items',
    paging: { style: 'next_url', url_path: '$.next' },
  })
  const reading = (await openApi({ name: 'k', settings }, anySourceContext({ max_rows: 4 }))).read()
  const seen: unknown[] = []
  await expect(async () => {
    for await (const batch of reading.batches) {
      seen.push(...batch.map(String))
      expect(JSON.stringify(reading.checkpoint)).not.toMatch('canary')
    }
  }).rejects.toThrow('more than 4 rows')
  expect(seen).toEqual(['["page"]', '[1]', '[2]', '[3]', '[4]'])
})

const CANARIES = ['hdr canary/+1"', 'prm canary&2?', 'basic-canary-3']

test('no secret is in any message, exchange, row, warning, validator or reason, in whatever form', async () => {
  const [header = '', param = '', password = ''] = CANARIES
  const forms = [
    ...CANARIES,
    ...CANARIES.map(encodeURIComponent),
    ...CANARIES.map((text) => Buffer.from(text).toString('base64')),
  ]
  const everything = forms.join(' | ')
  const basic = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`
  const base = {
    headers: [
      { name: 'X-Api-Key', is_secret: true, value: header },
      { name: 'Authorization', is_secret: true, value: basic },
    ],
    params: [{ name: 'token', is_secret: true, value: param }],
  }
  const echo = { items: [{ a: everything, b: { deep: everything } }], message: everything }
  const answers: [string, object, object][] = [
    [
      'fine',
      { body: echo, headers: { 'x-echo': encodeURIComponent(CANARIES.join(' ')), 'set-cookie': 'sid=1' } },
      { list_path: '$.items' },
    ],
    ['refused', { status: 401, body: echo }, {}],
    ['busy', { status: 503, body: echo }, {}],
    ['rejected', { status: 400, body: { error: { message: everything } } }, {}],
    ['no list', { body: echo }, { list_path: '$.nothing' }],
    ['broken', { body: `[${everything}` }, {}],
    [
      'page',
      { body: `<html><title>${everything}</title></html>`, headers: { 'content-type': 'text/html' } },
      {},
    ],
    ['moved', { status: 302, headers: { location: `http://10.0.0.1/${encodeURIComponent(param)}` } }, {}],
    ['moved by name', { status: 302, headers: { location: `http://${password}.example/` } }, {}],
    ['csv', { body: `a,b\n"${everything.replaceAll('"', '""')}",x\n` }, { format: 'csv' }],
    [
      'charset',
      { body: 'a\n', headers: { 'content-type': `text/csv; charset=${password}` } },
      { format: 'csv' },
    ],
  ]
  const leak = /canary/i
  const encoded = /Y2FuYXJ5|NhbmFye|jYW5hcn/
  for (const [name, answer, more] of answers) {
    const url = server.on('/planted', () => answer)
    const reasons: string[] = []
    const use = anySourceContext({
      onRetry: async (reason) => void reasons.push(reason),
      onWait: ({ reason }) => {
        reasons.push(reason)
        return () => {}
      },
    })
    const settings = ApiSettings.parse({ url, ...base, ...more })
    const found = await testApi(settings, use, QUICK)
    const said = JSON.stringify([found, reasons])
    expect(said, name).not.toMatch(leak)
    expect(said, name).not.toMatch(encoded)
    const reading = (await openApi({ name: 'x', settings }, use, QUICK)).read()
    const rows = await readAll(reading).catch((error: unknown) => error)
    const shown = rows instanceof Error ? `${rows.message} ${rows.stack} ${rows.cause}` : JSON.stringify(rows)
    expect(
      `${shown} ${reading.warnings} ${JSON.stringify([reading.validator, reading.checkpoint])}`,
      name,
    ).not.toMatch(leak)
    if (name === 'fine')
      expect(reading.warnings).toEqual(['The rows contained a secret of the connection. It was masked.'])
  }
  expect(server.asked.at(-1)?.headers['x-api-key']).toBe(header)
  expect(server.asked.at(-1)?.headers.authorization).toBe(basic)
  expect(server.asked.at(-1)?.url.searchParams.get('token')).toBe(param)
})
