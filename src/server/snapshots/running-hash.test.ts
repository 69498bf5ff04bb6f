import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RunningHash } from './running-hash.ts'

const hashOf = (texts: readonly string[], begun = new RunningHash()) => {
  for (const text of texts) begun.push(text)
  return begun
}

// Some texts end a block of 4 kB, some are longer than a block.
const texts = fc.array(
  fc
    .tuple(fc.constantFrom('a', 'ß', '"📚"'), fc.integer({ min: 0, max: 3000 }))
    .map(([text, times]) => `[${text.repeat(times)}]`),
  { maxLength: 12 },
)

test('continues from the stored state of another hash', () => {
  fc.assert(
    fc.property(texts, fc.nat(12), (all, end) => {
      const { state } = hashOf(all.slice(0, end))
      expect(hashOf(all.slice(end), new RunningHash(state)).digest).toBe(hashOf(all).digest)
    }),
  )
})

test('is equal for texts and their bytes, with a state of a few kilobytes', () => {
  fc.assert(
    fc.property(texts, (all) => {
      const ofBytes = new RunningHash()
      for (const text of all) ofBytes.push(Buffer.from(text))
      expect(ofBytes.digest).toBe(hashOf(all).digest)
      expect(ofBytes.digest).toMatch(/^[0-9a-f]{64}$/)
      expect(Buffer.byteLength(ofBytes.state)).toBeLessThanOrEqual(64 + 4096)
    }),
  )
})

test('differs for other texts, another order and one text more', () => {
  const all = ['["a"]', '["b"]', `["${'c'.repeat(5000)}"]`]
  const others = [all.slice(0, 2), ['["b"]', '["a"]', all[2] ?? ''], [...all, '[]'], []]
  expect(new Set([all, ...others].map((some) => hashOf(some).digest)).size).toBe(5)
})
