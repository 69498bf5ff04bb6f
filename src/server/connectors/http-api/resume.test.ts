import { afterAll, beforeAll, expect, test } from 'vitest'
import { OriginServer } from '../../../../test/fakes/origin-server.ts'
import { PAGING_STYLES, PRODUCTS, serveStyle } from '../../../../test/fakes/paging-styles.ts'
import { anySourceContext, readAll } from '../../../../test/fixtures/read-source.ts'
import { ApiSettings } from '../../../contract/connections/calls.ts'
import { openApi } from './source.ts'

let server: OriginServer
beforeAll(async () => {
  server = await OriginServer.start()
})
afterAll(() => server.close())

test.each(Object.keys(PAGING_STYLES).slice(1))(
  'a read resumes after any page of an earlier read: %s',
  async (name) => {
    const style = PAGING_STYLES[name]
    if (!style) throw new Error(name)
    const source = await openApi({ name, settings: serveStyle(server, style) }, anySourceContext())
    const whole = source.read()
    let seen: unknown[][] = []
    for await (const batch of whole.batches) {
      seen = [...seen, ...batch.map((row) => JSON.parse(String(row)))]
      const { checkpoint, header } = whole
      expect(checkpoint).not.toBeNull()
      const resume = {
        checkpoint: JSON.parse(JSON.stringify(checkpoint)),
        header: header ?? [],
        rows: seen.length,
      }
      const rest: unknown[][] = []
      for await (const rows of source.read({ resume }).batches)
        rest.push(...rows.map((row) => JSON.parse(String(row))))
      const skus = [...seen.slice(1), ...rest].map(([sku]) => sku)
      expect(skus).toEqual(PRODUCTS.map(({ sku }) => sku))
    }
  },
)

test('a read of a single reply starts over', async () => {
  const url = server.on('/one', () => ({ body: PRODUCTS }))
  const reading = (
    await openApi({ name: 'one', settings: ApiSettings.parse({ url }) }, anySourceContext())
  ).read()
  for await (const _batch of reading.batches) expect(reading.checkpoint).toBeNull()
})

test.each([
  ['an ETag', { etag: 'W/"v1"' }],
  ['a date', { 'last-modified': 'Sun, 01 Mar 2026 12:00:00 GMT', date: 'Sun, 01 Mar 2026 13:00:00 GMT' }],
])('the origin reports by %s that nothing changed', async (_name, headers: Record<string, string>) => {
  for (const format of ['json', 'csv']) {
    const url = server.on(`/valid-${format}`, ({ headers: asked }) => {
      const isSame =
        asked['if-none-match'] === headers.etag && asked['if-modified-since'] === headers['last-modified']
      return isSame ? { status: 304 } : { body: format === 'json' ? PRODUCTS : 'a\n1\n', headers }
    })
    const settings = ApiSettings.parse({ url, format })
    const source = await openApi({ name: 'v', settings }, anySourceContext())
    const first = source.read()
    expect((await readAll(first)).length).toBeGreaterThan(1)
    expect(first.unchanged).toBe(false)
    const second = source.read({ validator: JSON.parse(JSON.stringify(first.validator)) })
    expect(await readAll(second)).toEqual([])
    expect(second.unchanged).toBe(true)

    // The request has changed.
    const changed = await openApi(
      { name: 'v', settings: { ...settings, list_path: '$[*]' } },
      anySourceContext(),
    )
    const third = changed.read({ validator: first.validator })
    await readAll(third)
    expect(third.unchanged).toBe(false)
  }
})

test('an unchanged first page does not mean that the others are unchanged', async () => {
  const url = server.on('/etag-pages', ({ url }) => ({
    body: url.searchParams.get('page') === '1' ? [{ a: 1 }] : [],
    headers: { etag: '"x"' },
  }))
  const settings = ApiSettings.parse({ url, paging: { style: 'page', param: 'page' } })
  const reading = (await openApi({ name: 'e', settings }, anySourceContext())).read()
  await readAll(reading)
  expect(reading.validator).toBeNull()
})
