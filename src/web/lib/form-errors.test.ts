import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { fieldErrors, refusedFields } from './form-errors.ts'

const Form = z.object({
  name: z.string().check(z.minLength(2, 'short'), z.regex(/^a/, 'no a')),
  tags: z.array(z.email('bad')),
})

test('each field shows its first message, and a list the message of its first invalid entry', () => {
  const check = fieldErrors(Form)
  expect(check({ name: 'b', tags: ['a@b.de', 'x', 'y'] })).toEqual({ name: 'short', tags: 'bad' })
  expect(check({ name: 'ab', tags: [] })).toEqual({})
})

test('a validation error of the server marks the fields it names, if the form has them', () => {
  const known = { name: '', relevant_user_accounts: [] }
  const refusal = { status: 400, message: 'Not valid.' }
  expect(
    refusedFields(
      {
        ...refusal,
        field: 'name',
        errors: [
          { field: 'name', message: 'Name is required' },
          { field: 'relevant_user_accounts.1', message: 'No address' },
          { field: 'request_id', message: 'unknown' },
        ],
      },
      known,
    ),
  ).toEqual({ name: 'Name is required', relevant_user_accounts: 'No address' })
  expect(refusedFields({ ...refusal, field: 'name' }, known)).toEqual({ name: 'Not valid.' })
  expect(refusedFields({ ...refusal, field: 'id' }, known)).toEqual({})
  expect(refusedFields(refusal, known)).toEqual({})
})
