import { expect, test } from 'vitest'
import { chosenFilters } from './filter-labels.ts'
import { rangeText } from './pager.tsx'
import { pageQuery, readPage, readRecordFilters, recordsPath, withRecordFilters } from './record-filters.ts'

const read = (search: string) => readRecordFilters(new URLSearchParams(search))

test('filters are read from the URL and written back; invalid values are ignored', () => {
  const filters = {
    sku_search: 'A-1',
    has_blanks: 'true',
    is_duplicate: 'false',
    filled_by: '12',
    field: 'Price',
  }
  expect(read(String(withRecordFilters(new URLSearchParams(), filters as object)))).toEqual(filters)
  expect(read('has_blanks=maybe&filled_by=me&change=moved&limit=5&compiler_config_id=9&other=1')).toEqual({})
})

test('new filters start at the first page, on the same tab and configuration', () => {
  const before = new URLSearchParams('tab=data&config=3&has_blanks=true&page=4')
  expect(String(withRecordFilters(before, { has_errors: 'true' }))).toBe('tab=data&config=3&has_errors=true')
})

test('a page has 20 records', () => {
  expect(pageQuery({ has_errors: 'true' }, 3)).toEqual({ has_errors: 'true', limit: '20', offset: '40' })
  expect([readPage(new URLSearchParams('page=3')), readPage(new URLSearchParams('page=-1'))]).toEqual([3, 1])
})

test.each([
  [1, 12_345, 'Records 1–20 of 12,345'],
  [618, 12_345, 'Records 12,341–12,345 of 12,345'],
  [3, 40, 'No records on page 3'],
])('page %d of %d records: %s', (page, total, text) => expect(rangeText(page, total)).toBe(text))

test('a count links to its records', () => {
  expect(recordsPath(7, { has_blanks: 'false', has_errors: 'false', is_duplicate: 'false' })).toBe(
    '/compiler?tab=data&config=7&has_blanks=false&has_errors=false&is_duplicate=false',
  )
})

test('filters without a control have labels and can be removed one by one', () => {
  const sources = { source_task_ids: [11, 12], source_names: ['Master', 'North'] }
  const filters = { has_blanks: 'true', filled_by: '12', field: 'Price', change: 'gone' } as const
  expect(chosenFilters(filters, sources)).toEqual([
    { labels: 'Price from North', without: { has_blanks: 'true', change: 'gone' } },
    {
      labels: 'Removed since the previous compile',
      without: { has_blanks: 'true', filled_by: '12', field: 'Price' },
    },
  ])
  expect(
    chosenFilters({ filled_by: '99', not_in_master: 'true' }, sources).map(({ labels }) => labels),
  ).toEqual(['Not in the master', 'Filled by source task 99'])
})
