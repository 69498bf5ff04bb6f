import { expect, test } from 'vitest'
import { withoutSecrets } from './secret-text.ts'

test.each(['eyJ-', 'eyJ', 'Bearer ', '1//', 'password\\"', 'http://a:', 'code=', 'ya29.'])(
  'a long text of %j takes time in proportion to its length',
  (piece) => {
    const text = piece.repeat(80_000)
    const began = process.threadCpuUsage()
    withoutSecrets(text)
    // A pattern that rescans the text from each position took minutes. Processor time of this thread, in
    // microseconds.
    expect(process.threadCpuUsage(began).user).toBeLessThan(2_000_000)
  },
)
