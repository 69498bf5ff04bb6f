import { deflateRawSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { OriginServer } from '../../../../test/fakes/origin-server.ts'
import { asked, skus, startTrappedApi } from '../../../../test/fakes/trapped-api.ts'
import { anySourceContext } from '../../../../test/fixtures/read-source.ts'
import { ApiSettings } from '../../../contract/connections/calls.ts'
import { testApi } from './test.ts'

startTrappedApi()

/** A ZIP file's first entry. */
function zip(name: string, content = 'sku,name\n1,a\n'): Buffer {
  const packed = deflateRawSync(content)
  const head = Buffer.alloc(30)
  head.write('PK\u0003\u0004', 'latin1')
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name), packed, Buffer.alloc(5000)])
}

const FILES: [kind: string, body: Buffer][] = [
  ['a ZIP file', zip('products.csv')],
  ['an Excel workbook (.xlsx)', zip('[Content_Types].xml')],
  ['an Excel workbook (.xlsx)', zip('xl/workbook.xml')],
  ['an Excel workbook (.xls)', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
  ['a PDF file', Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n')],
  ['an image', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['a ZIP file', gzipSync(zip('products.csv'))],
]

test.each(FILES)(
  '%s instead of CSV or JSON is named in the error, in a run and in a test',
  async (kind, body) => {
    const server = await OriginServer.start()
    try {
      for (const format of ['csv', 'json']) {
        const headers = { 'content-type': 'text/csv' }
        const message = `The reply is ${kind}, not ${format.toUpperCase()}.`
        const settings = { format }
        await expect(skus({ handler: () => ({ body, headers }), settings })).rejects.toMatchObject({
          kind: 'invalid',
          message,
        })
        expect(asked()).toHaveLength(1)
        const url = server.on('/file', () => ({ body, headers }))
        expect(await testApi(ApiSettings.parse({ url, format }), anySourceContext())).toMatchObject({
          ok: false,
          message,
        })
      }
    } finally {
      await server.close()
    }
  },
)

test('a file that merely starts with such letters is read', async () => {
  const body = 'BZh,sku\nx,1\n'
  expect(await skus({ handler: () => ({ body }), settings: { format: 'csv' } })).toEqual(['1'])
})

test.each([
  ['data.items', { data: { items: [{ sku: 1 }] } }],
  ['items', { items: [{ sku: 1 }] }],
  ['order-items.list', { 'order-items': { list: [{ sku: 1 }] } }],
  ['results.0.rows', { results: [{ rows: [{ sku: 1 }] }] }],
  ['[0].rows', [{ rows: [{ sku: 1 }] }]],
])('the path %s is understood', async (list_path, body) => {
  expect(await skus({ handler: () => ({ body }), settings: { list_path } })).toEqual([1])
})

test.each([
  ['$.items[', 9],
  ['$.items[?@.a ==]', 16],
  ["$[?nothing(@.a, 'x')]", 4],
  ['data items', 6],
])('the error of the path %s contains the position', async (list_path, at) => {
  await expect(skus({ handler: () => ({ body: [] }), settings: { list_path } })).rejects.toMatchObject({
    kind: 'invalid',
    message: `The path to the list, “${list_path}”, is not a JSONPath: it cannot be read from character ${at} on. Write it like $.data.items.`,
  })
})
