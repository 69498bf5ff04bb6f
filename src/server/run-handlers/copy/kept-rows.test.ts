import { expect, test } from 'vitest'
import { KeptRows } from './kept-rows.ts'

test('the first rows are kept, up to 24 MB of them', () => {
  const texts = new KeptRows()
  const row = (n: number) => JSON.stringify([n, 'é€😀'.repeat(1_000 + n)])
  for (let n = 1; n <= 3_000; n += 1) texts.add(Buffer.from(row(n)))
  // One that would fit again.
  texts.add(Buffer.from('[]'))
  let bytes = 0
  let kept = 0
  while (bytes + Buffer.byteLength(row(kept + 1)) <= 24_000_000) {
    kept += 1
    bytes += Buffer.byteLength(row(kept))
    expect(texts.get(kept)?.toString()).toBe(row(kept))
    expect([
      texts.holds(kept, Buffer.from(row(kept))),
      texts.holds(kept, Buffer.from(row(kept + 1))),
    ]).toEqual([true, false])
  }
  expect(kept).toBeLessThan(3_000)
  expect([kept + 1, 3_001].map((n) => texts.get(n))).toEqual([undefined, undefined])
})
