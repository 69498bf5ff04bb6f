import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planImport, type Wanted } from './commands/import-plan.ts'
import type { TypeKey } from './csv.ts'

const keys = Array.from({ length: 8 }, (_, n): TypeKey => `source T${n}`)

/** Whether what depends on itself, directly or not, is among these. */
function hasCircle(graph: Map<TypeKey, TypeKey[]>): boolean {
  const leads = (from: TypeKey, to: TypeKey, seen = new Set<TypeKey>()): boolean =>
    (graph.get(from) ?? []).some((next) => {
      if (next === to) return true
      if (seen.has(next)) return false
      seen.add(next)
      return leads(next, to, seen)
    })
  return [...graph.keys()].some((key) => leads(key, key))
}

const subset = fc.subarray(keys, { maxLength: 4 })
const wanted = fc.record({ dependencies: fc.option(subset, { nil: undefined }), there: fc.boolean() })

test('an accepted plan has no cycle and no gap, in an order in which its types can be written one by one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(wanted), { maxLength: 8 }),
      fc.array(subset, { minLength: 8, maxLength: 8 }),
      (file, before) => {
        // Those that exist depend on earlier ones alone; others are in the file only, or nowhere.
        const existing = new Map<TypeKey, TypeKey[]>()
        for (const [at, key] of keys.entries())
          if (file[at]?.there !== false)
            existing.set(
              key,
              (before[at] ?? []).filter((other) => keys.indexOf(other) < at && existing.has(other)),
            )
        const rows = file.flatMap((one, at): Wanted[] => {
          const key = keys[at]
          if (!one || key === undefined) return []
          const dependencies = one.dependencies?.map((to) => ({ key: to, condition: 'success' as const }))
          return [{ key, isNew: !existing.has(key), dependencies }]
        })
        const { refused, accepted } = planImport(existing, rows)
        expect(new Set([...refused.keys(), ...accepted])).toEqual(new Set(rows))
        expect(refused.size + accepted.length).toBe(rows.length)
        const graph = new Map(existing)
        for (const { key, isNew, dependencies } of accepted) {
          if (isNew || dependencies) graph.set(key, dependencies?.map((one) => one.key) ?? [])
          expect(graph.get(key)?.every((to) => graph.has(to))).toBe(true)
          expect(hasCircle(graph)).toBe(false)
        }
        // Rejections are necessary: any further type would cause a missing dependency or a cycle, or depends on itself.
        for (const { key, dependencies = [] } of refused.keys()) {
          const more = new Map(graph).set(
            key,
            dependencies.map((one) => one.key),
          )
          const whole = [...more.values()].flat().every((to) => more.has(to))
          const alone = rows.filter((row) => refused.has(row)).length === 1
          if (alone) expect(whole && !hasCircle(more)).toBe(false)
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

const chain = (last: Wanted['dependencies']) =>
  Array.from({ length: 20_000 }, (_, n): Wanted => {
    const next: TypeKey = `source ${n + 1}`
    return {
      key: `source ${n}`,
      isNew: true,
      dependencies: n < 19_999 ? [{ key: next, condition: 'success' }] : last,
    }
  })

test('a chain of 20,000 types is refused in linear time with the last of them', () => {
  const { accepted, refused } = planImport(
    new Map(),
    chain([{ key: 'source Nowhere', condition: 'success' }]),
  )
  expect([accepted.length, refused.size]).toEqual([0, 20_000])
})

test('a chain of 20,000 types in the wrong order is put into the right one', () => {
  const rows = chain(undefined)
  const { accepted, refused } = planImport(new Map(), rows)
  expect(refused.size).toBe(0)
  expect(accepted[0]).toBe(rows[19_999])
  expect(accepted.at(-1)).toBe(rows[0])
})
