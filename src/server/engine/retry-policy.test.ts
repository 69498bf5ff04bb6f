import { describe, expect, test } from 'vitest'
import { retryDecision } from './retry-policy.ts'

const attempt = { attempts: 1, max_retries: 3, retry_delay_seconds: 60 }
const failure = { message: 'Google is busy.', retryable: true, retry_after_seconds: null }

describe('after a failed attempt', () => {
  test.each([
    ['the next one waits as long as the type says', failure, attempt, 60],
    [
      'or as long as the origin says, if that is longer',
      { ...failure, retry_after_seconds: 90 },
      attempt,
      90,
    ],
    ['but not shorter', { ...failure, retry_after_seconds: 5 }, attempt, 60],
    ['the last retry is still made', failure, { ...attempt, attempts: 3 }, 60],
    ['none follows the last retry', failure, { ...attempt, attempts: 4 }, null],
    ['none follows where the type allows none', failure, { ...attempt, max_retries: 0 }, null],
    ['none follows a failure that cannot pass', { ...failure, retryable: false }, attempt, null],
  ])('%s', (_case, given, made, delay) => {
    const next = retryDecision(given, made)
    expect(next.retry ? next.delay_seconds : null).toBe(delay)
  })

  test.each([
    [0, 'Attempt 1 of 4 failed, the next one starts at once: Google is busy.'],
    [1, 'Attempt 1 of 4 failed, the next one starts in 1 second: Google is busy.'],
    [60, 'Attempt 1 of 4 failed, the next one starts in 60 seconds: Google is busy.'],
    [300, 'Attempt 1 of 4 failed, the next one starts in 5 minutes: Google is busy.'],
  ])('a delay of %i seconds is described in words', (retry_delay_seconds, message) => {
    expect(retryDecision(failure, { ...attempt, retry_delay_seconds })).toMatchObject({ message })
  })

  test.each([
    [{ ...attempt, attempts: 4 }, 'Google is busy. Given up after 4 attempts.'],
    [{ ...attempt, max_retries: 0 }, 'Google is busy.'],
  ])('the final message contains the number of attempts', (made, error) => {
    expect(retryDecision(failure, made)).toEqual({ retry: false, error })
  })
})
