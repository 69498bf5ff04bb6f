import { expect, test } from 'vitest'
import { filterTypes, groupsOf, readTypeFilters, statusChoices, writeTypeFilters } from './type-filters.ts'

const type = (name: string, rest: object = {}) => ({
  name,
  description: '',
  group_name: '',
  is_active: true,
  cron_schedule: null as string | null,
  ...rest,
})

const types = [
  type('Prices', { group_name: 'Shop', cron_schedule: '0 2 * * *' }),
  type('Stock', { description: 'Counts of the shop', is_active: false }),
  type('People', { group_name: 'Office', is_active: false, cron_schedule: '0 4 * * *' }),
]

test.each([
  ['', 'Prices Stock People'],
  ['q=%20SHOP%20', 'Prices Stock'],
  ['q=peo', 'People'],
  ['status=active', 'Prices'],
  ['status=inactive', 'Stock People'],
  ['status=scheduled', 'Prices People'],
  ['status=unheard', 'Prices Stock People'],
  ['status=toString', 'Prices Stock People'],
  ['group=Office', 'People'],
  ['group=office', ''],
  ['q=shop&status=inactive', 'Stock'],
])('?%s shows %s', (address, names) => {
  const shown = filterTypes(types, readTypeFilters(new URLSearchParams(address)))
  expect(shown.map(({ name }) => name).join(' ')).toBe(names)
})

test('filters survive a round trip through the URL', () => {
  const filters = { search: 'a b', status: 'scheduled', group: 'Shop & more' }
  expect(readTypeFilters(writeTypeFilters(filters))).toEqual(filters)
})

test('the status filter offers All, Active, Inactive and Scheduled', () => {
  expect(statusChoices.map(({ label }) => label)).toEqual(['All', 'Active', 'Inactive', 'Scheduled'])
})

test('the groups are those present, each once', () => {
  expect(groupsOf([...types, type('More', { group_name: 'Shop' })])).toEqual(['Office', 'Shop'])
})

test('groups with numbers are in the order of the numbers', () => {
  const groups = ['Wave 10', 'Wave 2', 'Wave 1'].map((group_name) => type(group_name, { group_name }))
  expect(groupsOf(groups)).toEqual(['Wave 1', 'Wave 2', 'Wave 10'])
})
