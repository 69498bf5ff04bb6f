import { expect, test } from 'vitest'
import { CachedRows } from '../read/cached-rows.ts'

const row = (n: number) => JSON.stringify([n, 'é€😀'.repeat(1_000 + n)])

test('the first rows are cached, up to 24 MB', () => {
  const texts = new CachedRows()
  for (let n = 1; n <= 3_000; n += 1) texts.add(Buffer.from(row(n)))
  // A row that would fit again.
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

test('rows that are not cached can still be compared by hash', () => {
  const rows = new CachedRows()
  const large = (n: number) => Buffer.from(JSON.stringify([n, 'x'.repeat(12_000_000)]))
  const small = (n: number) => Buffer.from(JSON.stringify(n % 2 === 0 ? [n, '=A1'] : [n, 'A1']))
  rows.add(large(1))
  for (let n = 2; n < 5_000; n += 1) rows.add(n === 2 ? large(n) : small(n))
  expect([rows.get(1)?.length, rows.get(2), rows.get(3)]).toEqual([12_000_006, undefined, undefined])
  const numbers = Array.from({ length: 4_997 }, (_, n) => n + 3)
  expect(numbers.filter((n) => !rows.holds(n, small(n)))).toEqual([])
  expect(numbers.filter((n) => rows.holds(n, small(n + 2)))).toEqual([])
  expect(numbers.filter((n) => rows.mayHaveFormulaText(n, small(n)) !== (n % 2 === 0))).toEqual([])
  expect([rows.holds(2, large(2)), rows.holds(2, large(3))]).toEqual([true, false])
  // The header row, and a row past the last one.
  expect([rows.holds(0, large(1)), rows.holds(5_000, small(5_000))]).toEqual([false, false])
})
