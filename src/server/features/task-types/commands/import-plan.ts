import { csvJobServerMessages } from '../../../../contract/csv-jobs/server-messages.ts'
import { errors } from '../../../../contract/errors.ts'
import { fieldMessages } from '../../../../contract/field-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

import type { RowRefusal } from '../../../csv-jobs/import.ts'
import { type NamedDependency, partsOf, type TypeKey } from '../csv.ts'

/** A type in an import file. Undefined dependencies are kept. */
export type Wanted = { key: TypeKey; isNew: boolean; dependencies: NamedDependency[] | undefined }

type Graph = ReadonlyMap<TypeKey, readonly TypeKey[]>

/**
 * Determines which types of a file can be imported, given the existing types and their dependencies. Returns an error for each
 * rejected type, and the accepted ones in topological order. Rows may refer to types in later rows. A type is rejected with a new
 * type that it depends on.
 */
export function planImport<W extends Wanted>(
  existing: Graph,
  wanted: readonly W[],
): { refused: Map<W, RowRefusal>; accepted: W[] } {
  const refused = new Map<W, RowRefusal>()
  const known = new Set([...existing.keys(), ...wanted.map(({ key }) => key)])
  const needing = Map.groupBy(
    wanted.flatMap((one) => one.dependencies?.map(({ key }) => ({ one, key })) ?? []),
    ({ key }) => key,
  )
  const refuse = (first: W[], message: string) => {
    const falling = first.map((one) => ({ one, message }))
    for (const { one, message: why } of falling) {
      if (refused.has(one)) continue
      refused.set(one, { field: 'dependencies', message: why })
      if (!one.isNew) continue
      for (const next of needing.get(one.key) ?? [])
        falling.push({ one: next.one, message: unknown(one.key) })
    }
  }
  for (const one of wanted) {
    const problem = ownProblem(one, known)
    if (problem) refuse([one], problem)
  }
  for (;;) {
    const left = wanted.filter((one) => !refused.has(one))
    const graph = graphOf(existing, left)
    const circles = circlesOf(graph)
    const closing = left.filter((one) =>
      one.dependencies?.some(({ key }) => circles.get(key) === circles.get(one.key)),
    )
    if (closing.length === 0) return { refused, accepted: inOrder(graph, left) }
    refuse(closing, taskTypeMessages.circular_dependency)
  }
}

function unknown(key: TypeKey): string {
  const { category, name } = partsOf(key)
  return csvJobServerMessages.csv_dependency_unknown(category, name)
}

function ownProblem({ key, dependencies = [] }: Wanted, known: ReadonlySet<TypeKey>): string | null {
  const keys = dependencies.map((one) => one.key)
  if (keys.includes(key)) return errors.depends_on_itself.message
  if (keys.length > limits.dependencies_max) return fieldMessages.dependencies_many
  if (new Set(keys).size < keys.length) return fieldMessages.dependency_twice
  const missing = keys.find((one) => !known.has(one))
  return missing === undefined ? null : unknown(missing)
}

function graphOf(existing: Graph, wanted: readonly Wanted[]): Map<TypeKey, readonly TypeKey[]> {
  const graph = new Map(existing)
  for (const { key, isNew, dependencies } of wanted)
    if (isNew || dependencies) graph.set(key, dependencies?.map((one) => one.key) ?? [])
  return graph
}

/** Assigns a component number to each type; types of a cycle share one (Tarjan's algorithm, iterative). */
function circlesOf(graph: Graph): Map<TypeKey, number> {
  const circles = new Map<TypeKey, number>()
  const found = new Map<TypeKey, { index: number; lowest: number }>()
  const open: TypeKey[] = []
  for (const root of graph.keys()) {
    if (found.has(root)) continue
    const path = [{ key: root, next: 0 }]
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { key } = top
      const mark = found.get(key) ?? { index: found.size, lowest: found.size }
      if (!found.has(key)) {
        found.set(key, mark)
        open.push(key)
      }
      const target = graph.get(key)?.[top.next]
      top.next += 1
      if (target !== undefined) {
        const seen = found.get(target)
        if (seen === undefined) path.push({ key: target, next: 0 })
        else if (!circles.has(target)) mark.lowest = Math.min(mark.lowest, seen.index)
        continue
      }
      path.pop()
      const parent = found.get(path.at(-1)?.key ?? key)
      if (parent) parent.lowest = Math.min(parent.lowest, mark.lowest)
      if (mark.lowest < mark.index) continue
      for (const member of open.splice(open.lastIndexOf(key))) circles.set(member, mark.index)
    }
  }
  return circles
}

/** Topological order, including dependencies through types that are not in the file. */
function inOrder<W extends Wanted>(graph: Graph, wanted: readonly W[]): W[] {
  const byKey = new Map(wanted.map((one) => [one.key, one]))
  const order: W[] = []
  const seen = new Set<TypeKey>()
  for (const { key: root } of wanted) {
    const path = seen.has(root) ? [] : [{ key: root, next: 0 }]
    seen.add(root)
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const target = graph.get(top.key)?.[top.next]
      top.next += 1
      if (target === undefined) {
        path.pop()
        const one = byKey.get(top.key)
        if (one) order.push(one)
      } else if (!seen.has(target)) {
        seen.add(target)
        path.push({ key: target, next: 0 })
      }
    }
  }
  return order
}
