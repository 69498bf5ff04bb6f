import { expect, test } from 'vitest'
import { syncTaskTypes } from '../../../../contract/task-types/calls.ts'
import { fieldErrors } from '../../../lib/form-errors.ts'
import { newValues, TypeForm } from './type-form.ts'

test('a new type starts with one concurrent task, three retries after a minute, and 2000 rows per batch', () => {
  expect(newValues(syncTaskTypes)).toEqual({
    name: '',
    allowed_concurrent_tasks: 1,
    depends_on_id: null,
    queue_delay_seconds: 0,
    max_retries: 3,
    retry_delay_seconds: 60,
    chunk_size: 2000,
  })
})

test('missing and out-of-range values have the error messages of the specification', () => {
  const wrong = {
    allowed_concurrent_tasks: 0,
    queue_delay_seconds: -1,
    max_retries: -1,
    retry_delay_seconds: -1,
    chunk_size: 0,
  }
  expect(fieldErrors(TypeForm)({ ...newValues(syncTaskTypes), ...wrong })).toEqual({
    name: 'Name is required',
    allowed_concurrent_tasks: 'Allowed concurrent tasks must be at least 1',
    queue_delay_seconds: 'Must be a whole number from 0 to 86400',
    max_retries: 'Must be a whole number from 0 to 100',
    retry_delay_seconds: 'Must be a whole number from 0 to 86400',
    chunk_size: 'Must be a whole number from 1 to 100000',
  })
})
