import { expect, test } from 'vitest'
import { SkuIndex } from './sku-index.ts'

test('texts are numbered in order of first occurrence, for any number', () => {
  const index = new SkuIndex(0)
  const expected = new Map<string, number>()
  const room = Buffer.alloc(100)
  for (let n = 0; n < 60_000; n += 1) {
    const text = `Ä ${(n * 7_919) % 20_011}`.padEnd(1 + (n % 3), 'x')
    if (!expected.has(text)) expected.set(text, expected.size)
    const bytes = Buffer.from(`"${text}"`)
    expect(index.add(bytes, 1, bytes.length - 1)).toBe(expected.get(text))
  }
  expect(index.size).toBe(expected.size)
  for (const [text, number] of expected) {
    const bytes = Buffer.from(text)
    expect(index.find(bytes, 0, bytes.length)).toBe(number)
    expect(room.toString('utf8', 1, index.write(number, room, 1))).toBe(text)
    expect(index.lengthOf(number)).toBe(bytes.length)
  }
  expect(index.find(Buffer.from('none'), 0, 4)).toBe(-1)
  expect(index.find(room, 0, 0)).toBe(-1)
})
