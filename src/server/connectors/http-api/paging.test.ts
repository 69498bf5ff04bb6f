import { afterAll, beforeAll, expect, test } from 'vitest'
import { OriginServer } from '../../../../test/fakes/origin-server.ts'
import { PAGING_STYLES, PRODUCTS, serveStyle } from '../../../../test/fakes/paging-styles.ts'
import { anySourceContext, readObjects } from '../../../../test/fixtures/read-source.ts'
import { openApi } from './source.ts'

let server: OriginServer
beforeAll(async () => {
  server = await OriginServer.start()
})
afterAll(() => server.close())

const EXPECTED = PRODUCTS.map(({ sku, name, price }) => ({
  sku,
  name,
  'price.amount': price.amount,
  'price.currency': price.currency,
}))

test.each(Object.keys(PAGING_STYLES))('no row is lost by %s', async (name) => {
  const style = PAGING_STYLES[name]
  if (!style) throw new Error(name)
  const settings = serveStyle(server, style)
  const source = await openApi({ name, settings }, anySourceContext())
  expect(await readObjects(source)).toEqual(EXPECTED)
})
