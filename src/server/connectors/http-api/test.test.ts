import { afterAll, beforeAll, expect, test } from 'vitest'
import { OriginServer } from '../../../../test/fakes/origin-server.ts'
import { PAGING_STYLES, PRODUCTS, serveStyle } from '../../../../test/fakes/paging-styles.ts'
import { anySourceContext, readObjects } from '../../../../test/fixtures/read-source.ts'
import { ApiSettings, fillIn } from '../../../contract/connections/calls.ts'
import { openApi } from './source.ts'
import { testApi } from './test.ts'

let server: OriginServer
beforeAll(async () => {
  server = await OriginServer.start()
})
afterAll(() => server.close())

/** The minimum settings: URL, method and body. */
const bare = ({ url, method, body }: ApiSettings) => ApiSettings.parse({ url, method, body })

test('at least ten of twelve paging styles are detected from the first reply', async () => {
  const guessed: string[] = []
  for (const [name, style] of Object.entries(PAGING_STYLES)) {
    const settings = serveStyle(server, style)
    const { guess, rows_read } = await testApi(bare(settings), anySourceContext())
    if (!guess) continue
    const source = await openApi({ name, settings: fillIn(bare(settings), guess) }, anySourceContext())
    const found = (await readObjects(source)).map(({ sku }) => sku)
    const isComplete =
      found.length === PRODUCTS.length && PRODUCTS.every(({ sku }, index) => found[index] === sku)
    const { list_path, total_path, paging } = settings
    const isSame =
      guess.paging.style === paging.style && guess.list_path === list_path && guess.total_path === total_path
    if (isComplete && isSame && rows_read === PRODUCTS.length) guessed.push(name)
  }
  expect(guessed.length, `guessed: ${guessed.join('; ')}`).toBeGreaterThanOrEqual(10)
})

test('a test reads at most five pages and shows requests, replies, rows and types', async () => {
  const url = server.on('/long', ({ url }) => ({
    body: {
      items: [
        { id: Number(url.searchParams.get('page')), note: null, mix: 'a' },
        { ok: true, mix: 1 },
      ],
      total: 100,
    },
  }))
  // Guessed paging is counted alike.
  const guessed = await testApi(ApiSettings.parse({ url: `${url}?page=1` }), anySourceContext())
  expect(guessed).toMatchObject({ pages_read: 5, guess: { paging: { style: 'page' } } })
  const paging = { style: 'page', param: 'page' }
  const found = await testApi(ApiSettings.parse({ url, paging }), anySourceContext())
  expect(found).toMatchObject({
    ok: true,
    message: 'Read 10 rows in 5 pages; there is more.',
    rows_read: 10,
    pages_read: 5,
    total: 100,
    has_more: true,
    columns: [
      { name: 'id', type: 'number' },
      { name: 'note', type: 'blank' },
      { name: 'mix', type: 'mixed' },
      { name: 'ok', type: 'boolean' },
    ],
    guess: { format: 'json', list_path: '$.items', total_path: '$.total' },
  })
  expect(found.rows[0]).toEqual([1, null, 'a'])
  expect(found.exchanges).toHaveLength(5)
  expect(found.exchanges[1]).toMatchObject({
    method: 'GET',
    url: `${url}?page=2`,
    status: 200,
    reply: expect.stringContaining('"total":100'),
    reply_bytes: expect.any(Number),
  })
})

test('a failed test returns the request and the reply', async () => {
  const url = server.on('/refuses', () => ({ status: 401, body: { message: 'who are you?' } }))
  expect(await testApi(ApiSettings.parse({ url }), anySourceContext())).toMatchObject({
    ok: false,
    message: 'The API refused the request (401: who are you?). Check its headers and secrets.',
    exchanges: [{ status: 401, reply: '{"message":"who are you?"}' }],
    rows_read: 0,
  })
})

test('CSV is detected, and a long file is not read completely', async () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `${index},"name, ${index}"`)
  const url = server.on('/file', () => ({
    body: `id,name\n${lines.join('\n')}`,
    headers: { 'content-type': 'text/csv' },
  }))
  const found = await testApi(ApiSettings.parse({ url, format: 'csv' }), anySourceContext())
  expect(found).toMatchObject({ ok: true, has_more: true, pages_read: 1 })
  expect(found.rows_read).toBeLessThan(20_000)
  expect(found.exchanges[0]?.reply_bytes).toBeLessThan(1_000_000)
  const guessed = await testApi(ApiSettings.parse({ url }), anySourceContext())
  expect(guessed).toMatchObject({ ok: true, has_more: false, guess: { format: 'csv' } })
  expect(guessed.rows_read).toBe(200_000)
})
