import { expect, test } from 'vitest'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { filterConfigs, readConfigFilters, withConfigFilters } from './config-filters.ts'

const config = (id: number, fields: Partial<CompilerConfig>): CompilerConfig => ({
  ...{ id, task_id: id, name: `Catalogue ${id}`, description: '', is_active: true },
  ...{ source_task_ids: [], master_source_id: null, source_names: [], column_names: [] },
  ...{ approval_percent: null, stale_days: null, waiting: null },
  ...{ required_fields: [], field_groups: [], field_priorities: [], field_checks: [], field_rules: [] },
  ...{ task_type_name: null, task_type_schedule: null, owner: null, tags: [], has_notes: false, notes: '' },
  ...{ created_at: '2026-11-20T09:00:00.000Z', updated_at: '2026-11-20T09:00:00.000Z' },
  ...fields,
})
const configs = [
  config(1, { owner: { id: 7, name: 'Ada' }, tags: ['Shop'] }),
  config(2, { source_names: ['Supplier A'], tags: ['shop', 'north'] }),
  config(3, { description: 'Spare parts' }),
]

test.each([
  ['', [1, 2, 3]],
  ['q=supplier', [2]],
  ['q=SPARE', [3]],
  ['owner=me', [1]],
  ['owner=nobody&tag=SHOP', [2]],
  ['tag=shop&tag=north', [2]],
  ['owner=everybody', [1, 2, 3]],
])('the address %s shows the configurations %j', (address, ids) => {
  const filters = readConfigFilters(new URLSearchParams(address))
  expect(filterConfigs(configs, filters, 7).map(({ id }) => id)).toEqual(ids)
})

test('other parameters of the address stay', () => {
  const before = new URLSearchParams('tab=configs&config=3&q=old&favourites=1')
  const after = withConfigFilters(before, { search: '', owner: 'me', tags: ['a', 'b'], favourites: false })
  expect(after.toString()).toBe('tab=configs&config=3&owner=me&tag=a&tag=b')
  expect(readConfigFilters(after)).toEqual({ search: '', owner: 'me', tags: ['a', 'b'], favourites: false })
})
