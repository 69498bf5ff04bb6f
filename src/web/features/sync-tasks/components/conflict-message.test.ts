import { expect, test } from 'vitest'
import { conflictMessage } from './conflict-message.ts'

test.each([
  [
    'UNIQUE constraint failed: sync_tasks.name, sync_tasks.sync_task_type_id',
    'A task with this name already exists for this task type. Please use a different name.',
  ],
  [
    'Duplicate entry for source_ss_id and target_ss_id',
    'A task with these source and target spreadsheet IDs already exists.',
  ],
  [
    'duplicate key value violates unique constraint "some_key"',
    'This task conflicts with an existing task. Please check the values and try again.',
  ],
  ['The task type no longer exists.', 'The task type no longer exists.'],
])('the error %j is shown as %j', (text, told) => {
  expect(conflictMessage(text)).toBe(told)
})
