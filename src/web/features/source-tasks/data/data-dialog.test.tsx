import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { limits } from '../../../../contract/limits.ts'
import { CallError } from '../../../lib/call.ts'
import { rangeText, saysNoData } from './data-dialog.tsx'
import { DataRows } from './data-rows.tsx'

test('page sizes are 50, 100, 250 and 500, by default 100', () => {
  expect(limits.source_data_page_sizes).toEqual([50, 100, 250, 500])
  expect(limits.source_data_page_size).toBe(100)
})

test('a 404 or a message with “not found” means that there is no data', () => {
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

const page = {
  data: [{ SKU: '007', Price: 1.5 }],
  columns: ['SKU', 'Price'],
  number_formats: {},
  cell_formats: {},
  page: 3,
  page_size: 50,
}

test('row numbers continue from the previous pages', () => {
  const html = renderToStaticMarkup(<DataRows page={page} busy={false} />)
  expect(html).toContain('<th scope="col">SKU</th>')
  expect(html).toContain('<th scope="row">101</th>')
  expect(html).toContain('>007</td>')
  expect(html).toContain('data-numeric="true">1.5</td>')
})

test('numbers are shown in the format of their column, or of their cell if the column has several', () => {
  const data = [
    { Since: 45_000, Mixed: 45_000 },
    { Since: 45_001, Mixed: 0.12 },
    { Since: 45_002, Mixed: 5 },
  ]
  const number_formats = { Since: { type: 'DATE', pattern: 'yyyy-mm-dd' }, Mixed: { type: 'DATE' } }
  const cell_formats = {
    Mixed: [{ type: 'DATE', pattern: 'yyyy-mm-dd' }, { type: 'PERCENT', pattern: '0%' }, null],
  }
  const html = renderToStaticMarkup(
    <DataRows
      page={{ ...page, data, columns: ['Since', 'Mixed'], number_formats, cell_formats }}
      busy={false}
    />,
  )
  const cells = [...html.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, text]) => text)
  expect(cells).toEqual(['2023-03-15', '2023-03-15', '2023-03-16', '12%', '2023-03-17', '5'])
})
