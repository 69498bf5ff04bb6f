import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OriginServer } from '../../../../test/fakes/origin-server.ts'
import { PAGING_STYLES, serveStyle } from '../../../../test/fakes/paging-styles.ts'
import { anySourceContext, readAll } from '../../../../test/fixtures/read-source.ts'
import { ApiSettings } from '../../../contract/connections/calls.ts'
import type { ParserLimits } from './page-parser.ts'
import { openApi } from './source.ts'

let server: OriginServer
beforeAll(async () => {
  server = await OriginServer.start()
})
afterAll(() => server.close())

const APART: ParserLimits = { in_place_bytes: 0, megabytes: 512, cpu_seconds: 60 }
const IN_PLACE: ParserLimits = { ...APART, in_place_bytes: Number.POSITIVE_INFINITY }

/** Child processes that parse replies. */
const parsers = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      return (
        Number(parent) === process.pid &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('parse-process.ts')
      )
    } catch {
      return false
    }
  })

const open = (settings: object, parser: ParserLimits, use = anySourceContext()) =>
  openApi({ name: 'large', settings: ApiSettings.parse(settings) }, use, { parser })
const serve = (path: string, body: unknown) => server.on(path, () => ({ body }))

test.each(
  Object.entries(PAGING_STYLES)
    .filter(([name]) => /total|POST|Link/.test(name))
    .slice(-3),
)('%s: parsed in a process of its own, the rows are the same', async (name, style) => {
  const settings = serveStyle(server, style)
  const [here, apart] = await Promise.all(
    [IN_PLACE, APART].map(async (parser) =>
      readAll((await openApi({ name, settings }, anySourceContext(), { parser })).read()),
    ),
  )
  expect(apart).toEqual(here)
  expect(parsers()).toEqual([])
})

test('a large reply is parsed in a separate process, which ends with the read', async () => {
  const url = serve(
    '/large',
    Array.from({ length: 20_000 }, (_, sku) => ({ sku, name: 'x'.repeat(50) })),
  )
  const reading = (await open({ url }, { ...APART, in_place_bytes: 65_536 })).read()
  let rows = 0
  for await (const batch of reading.batches) {
    if (rows === 0) expect(parsers()).toHaveLength(1)
    rows += batch.length
  }
  expect(rows).toBe(20_001)
  expect(parsers()).toEqual([])
})

test('the parse process ends when the run is stopped or stops reading', async () => {
  const url = serve(
    '/stopped',
    Array.from({ length: 5000 }, (_, sku) => ({ sku })),
  )
  const stop = new AbortController()
  const stopped = (await open({ url }, APART, anySourceContext({ signal: stop.signal }))).read()
  await expect(
    (async () => {
      for await (const _batch of stopped.batches) stop.abort(new Error('stopped'))
      stop.signal.throwIfAborted()
    })(),
  ).rejects.toThrow('stopped')
  for await (const _batch of (await open({ url }, APART)).read().batches) break
  expect(parsers()).toEqual([])
})

test('a reply that exceeds the memory limit fails this read only', async () => {
  const url = server.on('/memory', () => ({ body: `[${'{},'.repeat(6_000_000)}{}]` }))
  const reading = (await open({ url }, { ...APART, megabytes: 128 })).read()
  await expect(readAll(reading)).rejects.toMatchObject({
    kind: 'invalid',
    message: 'Reading was ended: it took more than 128 MB of memory.',
  })
  expect(parsers()).toEqual([])
})

test('expensive paths are also evaluated in the process, with a time limit', async () => {
  let nested: unknown = { sku: 1 }
  for (let depth = 0; depth < 45; depth += 1) nested = [nested, depth]
  const url = serve('/paths', { items: Array.from({ length: 100 }, () => nested) })
  const settings = { url, list_path: '$..[?count($..*) > count($..*..*)]' }
  const reading = (await open(settings, { in_place_bytes: 65_536, megabytes: 512, cpu_seconds: 1 })).read()
  await expect(readAll(reading)).rejects.toMatchObject({
    message: expect.stringMatching(
      /^Reading was ended: it took more than (1 s of processor time|512 MB of memory)\.$/,
    ),
  })
})

test('an error that the API reports in a large reply is quoted, too', async () => {
  const url = serve('/error', {
    filler: 'x'.repeat(100_000),
    error: { code: 422, message: 'Session has expired' },
  })
  const reading = (await open({ url, list_path: '$.data' }, { ...APART, in_place_bytes: 65_536 })).read()
  await expect(readAll(reading)).rejects.toMatchObject({
    kind: 'invalid',
    message: 'The API reported an error: “Session has expired”.',
  })
})

test.each(['match', 'search'])('a pattern of %s takes time in proportion to the text', async (name) => {
  const url = serve(`/pattern-${name}`, { items: [{ sku: `${'a'.repeat(5000)}!` }, { sku: 'aab' }] })
  const reading = (await open({ url, list_path: `$.items[?${name}(@.sku, '(a+)+b')]` }, IN_PLACE)).read()
  expect(await readAll(reading)).toEqual([['sku'], ['aab']])
})

test('a reply that is nested too deeply is refused before it is parsed', async () => {
  const url = server.on('/deep', () => ({ body: `[{"a":${'['.repeat(201)}${']'.repeat(201)}}]` }))
  await expect(readAll((await open({ url }, IN_PLACE)).read())).rejects.toThrow(
    'The reply is nested too deeply.',
  )
  const text = server.on('/text', () => ({ body: [{ sku: '['.repeat(500) }] }))
  expect(await readAll((await open({ url: text }, IN_PLACE)).read())).toHaveLength(2)
})
