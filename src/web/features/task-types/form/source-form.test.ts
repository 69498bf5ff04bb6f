import { expect, test } from 'vitest'
import { noDraft } from './dependency-rules.ts'
import {
  changedFields,
  newSourceBody,
  newSourceValues,
  sourceProblems,
  sourceValuesOf,
} from './source-form.ts'

const stored = {
  name: 'Prices',
  group_name: 'Shop',
  priority: 7,
  description: 'Of the shop',
  is_active: true,
  cron_schedule: '0 2 * * *',
  dependencies: [
    { dependency_task_type_id: 4, condition_type: 'completion', name: 'Stock', task_category: 'sync' },
  ],
  allowed_concurrent_tasks: 3,
  timeout_minutes: null,
  max_retries: 50,
  retry_delay_seconds: 95,
} as const

const loaded = () => sourceValuesOf({ ...stored, dependencies: [...stored.dependencies] })

test('a new type starts with the form’s defaults: 300 seconds, 3 retries, one at a time, low priority, active, no schedule', () => {
  expect(newSourceValues()).toEqual({
    name: '',
    group_name: '',
    priority: 'low',
    description: '',
    is_active: true,
    is_scheduled: false,
    cron_schedule: '',
    dependencies: [],
    draft: noDraft,
    allowed_concurrent_tasks: 1,
    timeout_minutes: '',
    max_retries: 3,
    retry_delay_seconds: 300,
  })
})

test.each([
  [0, 'low'],
  [1, 'medium'],
  [2, 'high'],
  [7, 'high'],
])('priority %i is loaded as %s', (priority, word) => {
  expect(sourceValuesOf({ ...stored, dependencies: [], priority }).priority).toBe(word)
})

test.each([0, 5, 90, 300, 86_400])('a retry delay of %i s survives the form', (retry_delay_seconds) => {
  const values = sourceValuesOf({ ...stored, dependencies: [], retry_delay_seconds })
  expect(values.retry_delay_seconds).toBe(retry_delay_seconds)
  expect(newSourceBody(values)).toMatchObject({ retry_delay_seconds })
})

test('dependencies are loaded with their names and conditions, and sent by their ids', () => {
  expect(loaded().dependencies).toMatchObject(stored.dependencies)
  expect(newSourceBody(loaded()).dependencies).toEqual([
    { dependency_task_type_id: 4, condition_type: 'completion' },
  ])
})

test.each([
  [{ name: ' ' }, { name: 'Name is required' }],
  [{ name: 'x'.repeat(101) }, { name: 'Name must be less than 100 characters' }],
  [{ name: 'x'.repeat(100) }, {}],
  [
    { is_scheduled: true, cron_schedule: ' ' },
    { cron_schedule: 'Cron schedule is required when scheduling is enabled' },
  ],
  [
    { allowed_concurrent_tasks: 0 },
    { allowed_concurrent_tasks: 'Max concurrent tasks must be between 1 and 100' },
  ],
  [
    { allowed_concurrent_tasks: 101 },
    { allowed_concurrent_tasks: 'Max concurrent tasks must be between 1 and 100' },
  ],
  [
    { allowed_concurrent_tasks: '' },
    { allowed_concurrent_tasks: 'Max concurrent tasks must be between 1 and 100' },
  ],
  [{ max_retries: 11 }, { max_retries: 'Max retries must be between 0 and 10' }],
  [{ max_retries: 0 }, {}],
  [{ retry_delay_seconds: 0 }, {}],
  [{ retry_delay_seconds: 86_401 }, { retry_delay_seconds: 'Must be a whole number from 0 to 86400' }],
  [{ timeout_minutes: 1441 }, { timeout_minutes: 'Must be a whole number from 1 to 1440' }],
  [{ timeout_minutes: '' }, {}],
])('with %j the errors of a new type are %j', (change, problems) => {
  expect(sourceProblems({ ...newSourceValues(), name: 'Prices', ...change }, null)).toEqual(problems)
})

test('a stored value outside the form’s range is validated only when it changes', () => {
  expect(sourceProblems(loaded(), loaded())).toEqual({})
  expect(sourceProblems({ ...loaded(), max_retries: 49 }, loaded())).toEqual({
    max_retries: 'Max retries must be between 0 and 10',
  })
})

test('only changed fields are sent, so fields that the form does not show keep their values', () => {
  expect(changedFields(loaded(), loaded())).toEqual({})
  expect(changedFields({ ...loaded(), name: 'Costs ' }, loaded())).toEqual({ name: 'Costs' })
  expect(changedFields({ ...loaded(), priority: 'medium', timeout_minutes: 30 }, loaded())).toEqual({
    priority: 1,
    timeout_minutes: 30,
  })
  expect(changedFields({ ...loaded(), retry_delay_seconds: 180 }, loaded())).toEqual({
    retry_delay_seconds: 180,
  })
  expect(changedFields({ ...loaded(), dependencies: [] }, loaded())).toEqual({ dependencies: [] })
})

test('turning scheduling off clears the cron', () => {
  expect(changedFields({ ...loaded(), is_scheduled: false }, loaded())).toEqual({ cron_schedule: null })
})

test('a new type is sent completely, its priority as a number', () => {
  expect(newSourceBody({ ...newSourceValues(), name: ' Prices ', priority: 'high' })).toEqual({
    name: 'Prices',
    group_name: '',
    priority: 2,
    description: '',
    is_active: true,
    cron_schedule: null,
    dependencies: [],
    allowed_concurrent_tasks: 1,
    timeout_minutes: null,
    max_retries: 3,
    retry_delay_seconds: 300,
  })
})
