import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MISSING, matchAppended, matchRows, type RowKeys, STAYS } from './match-rows.ts'

const never = () => false

test.each<[string, RowKeys, RowKeys, string[], number[], number[]]>([
  ['known rows are updated where they stand', ['a', 'b'], ['b', 'a'], [], [2, 1], []],
  ['new rows are added in the order of the source', ['c', 'a', 'b'], ['a'], [], [2], [1, 3]],
  ['rows that nobody wrote stay', ['a'], ['x', 'a'], [], [STAYS, 1], []],
  ['rows that the task wrote are missing', ['a'], ['x', 'a'], ['x'], [MISSING, 1], []],
  ['blank rows take no part', ['a', undefined], [undefined, 'a'], [], [STAYS, 1], []],
])('%s', (_what, source, target, written, sourceOf, added) => {
  const matching = matchRows(source, target, (key) => written.includes(key))
  expect({ ...matching, sourceOf: [...matching.sourceOf] }).toEqual({ sourceOf, added, bad: [] })
})

test('blank and repeated keys are named with their rows; a repeated key of other editors does not matter', () => {
  const { bad, added, sourceOf } = matchRows(
    ['a', null, 'a', 'b', 'c'],
    ['b', 'b', 'x', 'x', 'c', null],
    never,
  )
  expect(bad).toEqual([
    { side: 'source', key: null, rows: [2] },
    { side: 'source', key: 'a', rows: [1, 3] },
    { side: 'target', key: null, rows: [6] },
    { side: 'target', key: 'b', rows: [1, 2] },
  ])
  expect(added).toEqual([])
  expect([...sourceOf]).toEqual([STAYS, STAYS, STAYS, STAYS, 5, STAYS])
})

const keys = fc.array(fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { nil: null }), {
  maxLength: 12,
})

test('each row of the source is updated or added at most once, and only where its key is clear', () => {
  fc.assert(
    fc.property(keys, keys, fc.subarray(['a', 'b', 'c']), (source, target, written) => {
      const { sourceOf, added, bad } = matchRows(source, target, (key) => written.includes(key))
      const used = [...sourceOf.filter((row) => row > 0), ...added]
      expect(new Set(used).size).toBe(used.length)
      for (const [index, row] of sourceOf.entries()) {
        const key = target[index] ?? null
        if (row > 0) expect(source[row - 1]).toBe(key)
        if (row === MISSING) expect(key !== null && written.includes(key) && !source.includes(key)).toBe(true)
      }
      for (const row of added) expect(target).not.toContain(source[row - 1])
      const isBad = (row: number) => bad.some(({ side, rows }) => side === 'source' && rows.includes(row))
      const isBadKey = (key: string | null) =>
        bad.some((entry) => entry.side === 'target' && entry.key === key)
      for (const [index, key] of source.entries())
        expect(used.includes(index + 1)).toBe(!isBad(index + 1) && !(key !== null && isBadKey(key)))
    }),
  )
})

test('rows whose key the target does not have are appended, once', () => {
  expect(matchAppended(['a', 'b', 'c', 'c', null], ['b', 'b', null])).toEqual({
    sourceOf: new Int32Array(3),
    added: [1],
    bad: [
      { side: 'source', key: null, rows: [5] },
      { side: 'source', key: 'c', rows: [3, 4] },
    ],
  })
})
