import { expect, test } from 'vitest'
import { ApiSettings } from '../../src/contract/connections/calls.ts'
import { openApi } from '../../src/server/connectors/http-api/source.ts'
import { testApi } from '../../src/server/connectors/http-api/test.ts'
import { testSandbox } from '../../test/fakes/sandbox.ts'
import { anyUse, readAll } from '../../test/fixtures/origin-reading.ts'

const KEY = { name: 'X-Api-Key', is_secret: true, value: 'demo-key' }

test('an API origin can be tried offline: the test guesses the rest, and all rows arrive', async () => {
  const { root } = await testSandbox()
  for (const [path, style, rows] of [
    ['products?page=1&per_page=300', 'page', 1203],
    ['stock', 'cursor', 2000],
  ] as const) {
    const settings = ApiSettings.parse({ url: `${root}/demo-api/${path}`, headers: [KEY] })
    const { ok, guess, rows_read } = await testApi(settings, anyUse())
    expect({ ok, style: guess?.paging.style }).toEqual({ ok: true, style })
    expect(rows_read).toBeGreaterThan(1000)
    const { list_path = '', total_path = '', paging = settings.paging } = guess ?? {}
    const source = await openApi(
      { name: 'demo', settings: { ...settings, list_path, total_path, paging } },
      anyUse(),
    )
    expect(await readAll(source.read())).toHaveLength(rows + 1)
  }
})

test('its CSV file holds the same products, with text kept as text', async () => {
  const { root } = await testSandbox()
  const settings = ApiSettings.parse({ url: `${root}/demo-api/products.csv`, headers: [KEY], format: 'csv' })
  const [header, first, ...rest] = await readAll((await openApi({ name: 'demo', settings }, anyUse())).read())
  expect(header?.slice(0, 5)).toEqual(['sku', 'name', 'brand', 'category', 'price.amount'])
  expect(first?.[0]).toBe('00007')
  expect(rest).toHaveLength(1202)
})

test('without the key it refuses, and says which one', async () => {
  const { root } = await testSandbox()
  const found = await testApi(ApiSettings.parse({ url: `${root}/demo-api/stock` }), anyUse())
  expect(found.message).toBe(
    'The API refused the request (401: Send the header X-Api-Key: demo-key). Check its headers and secrets.',
  )
})
