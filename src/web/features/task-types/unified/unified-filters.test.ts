import { expect, test } from 'vitest'
import { queryOf, readUnifiedFilters, writeUnifiedFilters } from './unified-filters.ts'

test.each([
  ['', {}],
  ['q=shop', {}],
  ['category=compiler', { category: 'compiler' }],
  ['category=nothing&status=nothing', {}],
  ['category=sync&status=inactive', { category: 'sync', is_active: 'false' }],
  ['status=active', { is_active: 'true' }],
])('?%s asks the server for %j', (address, query) => {
  expect(queryOf(readUnifiedFilters(new URLSearchParams(address)))).toEqual(query)
})

test('filters survive a round trip through the URL', () => {
  const filters = { search: 'a & b', category: 'source', status: 'active' }
  expect(readUnifiedFilters(writeUnifiedFilters(filters))).toEqual(filters)
})
