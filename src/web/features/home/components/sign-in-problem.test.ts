import { expect, test } from 'vitest'
import { signInProblem } from './sign-in-problem.ts'

test('a failed sign-in shows its reason; an unknown reason is not echoed', () => {
  expect(signInProblem('cancelled')).toBe('Sign-in was cancelled.')
  expect(signInProblem('toString')).toBe('An unexpected error occurred')
})
