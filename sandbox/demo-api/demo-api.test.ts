import { expect, test } from 'vitest'
import { ApiSettings } from '../../src/contract/connections/calls.ts'
import { openApi } from '../../src/server/connectors/http-api/source.ts'
import { testApi } from '../../src/server/connectors/http-api/test.ts'
import { testSandbox } from '../../test/fakes/sandbox.ts'
import { anySourceContext, readAll } from '../../test/fixtures/read-source.ts'

const KEY = { name: 'X-Api-Key', is_secret: true, value: 'demo-key' }

test('the demo API works offline: the connection test detects its settings and all rows arrive', async () => {
  const { root } = await testSandbox()
  for (const [path, style, rows] of [
    ['products?page=1&per_page=300', 'page', 1203],
    ['stock', 'cursor', 1200],
  ] as const) {
    const settings = ApiSettings.parse({ url: `${root}/demo-api/${path}`, headers: [KEY] })
    const { ok, guess, rows_read } = await testApi(settings, anySourceContext())
    expect({ ok, style: guess?.paging.style }).toEqual({ ok: true, style })
    expect(rows_read).toBeGreaterThan(1000)
    const { list_path = '', total_path = '', paging = settings.paging } = guess ?? {}
    const source = await openApi(
      { name: 'demo', settings: { ...settings, list_path, total_path, paging } },
      anySourceContext(),
    )
    expect(await readAll(source.read())).toHaveLength(rows + 1)
  }
})

test('its CSV file contains the same products, with text preserved as text', async () => {
  const { root } = await testSandbox()
  const settings = ApiSettings.parse({ url: `${root}/demo-api/products.csv`, headers: [KEY], format: 'csv' })
  const [header, first, ...rest] = await readAll(
    (await openApi({ name: 'demo', settings }, anySourceContext())).read(),
  )
  expect(header?.slice(0, 5)).toEqual(['sku', 'name', 'brand', 'category', 'price.amount'])
  expect(first?.[0]).toBe('00007')
  expect(rest).toHaveLength(1202)
})

test('a request without the key is refused with the name of the key', async () => {
  const { root } = await testSandbox()
  const found = await testApi(ApiSettings.parse({ url: `${root}/demo-api/stock` }), anySourceContext())
  expect(found.message).toBe(
    'The API refused the request (401: Send the header X-Api-Key: demo-key). Check its headers and secrets.',
  )
})
