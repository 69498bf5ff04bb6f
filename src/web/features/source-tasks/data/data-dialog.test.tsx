import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { limits } from '../../../../contract/limits.ts'
import { CallError } from '../../../lib/call.ts'
import { rangeText, saysNoData } from './data-dialog.tsx'
import { DataRows } from './data-rows.tsx'

test('page sizes are 50, 100, 250 and 500, at first 100', () => {
  expect(limits.source_data_page_sizes).toEqual([50, 100, 250, 500])
  expect(limits.source_data_page_size).toBe(100)
})

test('404 and an answer with “not found” mean that there is no data', () => {
  expect(saysNoData(new CallError(404, 'Anything'))).toBe(true)
  expect(saysNoData(new CallError(400, 'Data copy Not Found'))).toBe(true)
  expect(saysNoData(new CallError(500, 'Broken'))).toBe(false)
  expect(saysNoData(new Error('not found'))).toBe(false)
})

test.each([
  [1, 100, 12_345, 'Rows 1–100 of 12,345'],
  [124, 100, 12_345, 'Rows 12,301–12,345 of 12,345'],
  [1, 100, 0, 'No rows'],
])('page %d of %d rows each, of %d', (page, size, total, text) => {
  expect(rangeText(page, size, total)).toBe(text)
})

test('a page is a table whose rows are counted on from the pages before', () => {
  const page = { data: [{ SKU: '007', Price: 1.5 }], columns: ['SKU', 'Price'], page: 3, page_size: 50 }
  const html = renderToStaticMarkup(<DataRows page={page} busy={false} />)
  expect(html).toContain('<th scope="col">SKU</th>')
  expect(html).toContain('<th scope="row">101</th>')
  expect(html).toContain('>007</td>')
  expect(html).toContain('data-numeric="true">1.5</td>')
})
