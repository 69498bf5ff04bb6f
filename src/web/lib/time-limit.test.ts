import { expect, test } from 'vitest'
import { withTimeLimit } from './time-limit.ts'

test('a call with a time limit is aborted at the limit, or earlier by its signal', async () => {
  const controller = new AbortController()
  const limited = withTimeLimit(60_000, controller.signal)
  controller.abort('cancelled')
  expect([limited.aborted, limited.reason]).toEqual([true, 'cancelled'])

  const short = withTimeLimit(1)
  await new Promise((resolve) => short.addEventListener('abort', resolve))
  expect(short.reason).toMatchObject({ name: 'TimeoutError' })
})
