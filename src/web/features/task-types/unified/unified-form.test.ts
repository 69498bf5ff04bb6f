import { expect, test } from 'vitest'
import { newUnifiedValues, unifiedBody, unifiedProblems } from './unified-form.ts'

const filled = (rest: object) => ({ ...newUnifiedValues(), name: 'Nightly', ...rest })

test('a new type starts with concurrency 1, queue delay 0, 3 retries after 60 s', () => {
  expect(newUnifiedValues()).toMatchObject({
    allowed_concurrent_tasks: 1,
    queue_delay_seconds: 0,
    max_retries: 3,
    retry_delay_seconds: 60,
  })
})

test.each([
  [{ name: '' }, { name: 'Name is required', task_category: 'Category is required' }],
  [{ task_category: 'sync' }, {}],
  [
    { task_category: 'compiler' },
    { compiler_config_id: 'Compiler Config ID is required for compiler task types' },
  ],
  [{ task_category: 'compiler', compiler_config_id: '4' }, {}],
  [
    { task_category: 'source', allowed_concurrent_tasks: 0 },
    { allowed_concurrent_tasks: 'Allowed concurrent tasks must be at least 1' },
  ],
  [{ task_category: 'source', max_retries: '' }, { max_retries: 'Must be a whole number from 0 to 100' }],
])('with %j the errors are %j', (rest, problems) => {
  expect(unifiedProblems(filled(rest), [], undefined)).toEqual(problems)
})

test.each([
  ['sync', null, null],
  ['source', '0 2 * * *', null],
  ['compiler', '0 2 * * *', 4],
])('a type of category %s sends the cron %s and the configuration %s', (task_category, cron, config) => {
  const body = unifiedBody(filled({ task_category, cron_schedule: '0 2 * * *', compiler_config_id: '4' }))
  expect(body).toMatchObject({ task_category, cron_schedule: cron, compiler_config_id: config })
})
