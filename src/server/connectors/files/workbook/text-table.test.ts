import { expect, test } from 'vitest'
import { SharedStrings } from './text-table.ts'

const MEGABYTE = 1_048_576

test('texts beyond the memory are in a file, and are found in any order', () => {
  const strings = new SharedStrings(MEGABYTE)
  const textOf = (n: number) =>
    n % 1_000 === 0 ? `long ${'é'.repeat(20_000)} ${n}` : n % 7 === 0 ? '' : `text ${n} 😀`
  const count = 50_000
  for (let n = 0; n < count; n += 1) strings.add(textOf(n))
  strings.finish()
  try {
    expect(strings.isInFile).toBe(true)
    expect(strings.count).toBe(count)
    // 7919 is prime, so that each text is asked for once.
    for (let n = 0; n < count; n += 1) {
      const place = (n * 7_919) % count
      if (strings.text(place) !== textOf(place))
        expect({ place, text: strings.text(place) }).toBe(textOf(place))
    }
    expect([strings.text(count), strings.text(-1), strings.text(Number.NaN), strings.text(0.5)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  } finally {
    strings.close()
  }
})

test('few texts stay in memory', () => {
  const strings = new SharedStrings(MEGABYTE)
  for (const text of ['a', '', 'b']) strings.add(text)
  strings.finish()
  expect([strings.isInFile, strings.text(0), strings.text(1), strings.text(2)]).toEqual([false, 'a', '', 'b'])
  strings.close()
})
