import { expect, test } from 'vitest'
import { signInProblem } from './sign-in-problem.ts'

test('the reason of a failed sign-in is told in a sentence; an unknown one is not repeated', () => {
  expect(signInProblem('cancelled')).toBe('Sign-in was cancelled.')
  expect(signInProblem('toString')).toBe('An unexpected error occurred')
})
