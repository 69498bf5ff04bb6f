import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BatchOrder, type BatchTask, queueStages } from './queue-order.ts'

const tasks = (...types: (number | null)[]): BatchTask[] =>
  types.map((type_id, index) => ({ id: index + 1, type_id }))
const reads = (...pairs: [number, number][]) =>
  pairs.map(([task_id, input_task_id]) => ({ task_id, input_task_id }))
const after = (...pairs: [number, number][]) =>
  pairs.map(([task_type_id, depends_on_id]) => ({ task_type_id, depends_on_id }))

test.each<[string, BatchTask[], BatchOrder, number[]]>([
  ['nothing to order', tasks(1, 2, null), { inputs: [], dependencies: [] }, [0, 0, 0]],
  ['a reader comes after its input', tasks(null, null), { inputs: reads([1, 2]), dependencies: [] }, [1, 0]],
  [
    'an internal source of an internal source comes last',
    tasks(null, null, null),
    { inputs: reads([1, 2], [2, 3]), dependencies: [] },
    [2, 1, 0],
  ],
  [
    'a compile comes after its sources, a copy after its compile',
    tasks(1, 2, 3, 3),
    { inputs: reads([1, 2], [2, 3], [2, 4]), dependencies: [] },
    [2, 1, 0, 0],
  ],
  ['types order what reads nothing', tasks(1, 2), { inputs: [], dependencies: after([1, 2]) }, [1, 0]],
  [
    'types order through a type that has no task in the batch',
    tasks(1, 3),
    { inputs: [], dependencies: after([1, 2], [2, 3]) },
    [1, 0],
  ],
  [
    'types and inputs together',
    tasks(1, 2, 3),
    { inputs: reads([2, 3]), dependencies: after([1, 2]) },
    [2, 1, 0],
  ],
  [
    'types hold where inputs contradict them',
    tasks(1, 2),
    { inputs: reads([2, 1]), dependencies: after([1, 2]) },
    [1, 0],
  ],
  [
    'types hold where several inputs together contradict them',
    tasks(1, 2, 3),
    { inputs: reads([1, 2], [2, 3]), dependencies: after([3, 1]) },
    [0, 2, 1],
  ],
])('%s', (_, batch, order, stages) => {
  expect([...queueStages(batch, order)].toSorted(([a], [b]) => a - b).map(([, stage]) => stage)).toEqual(
    stages,
  )
})

test('each task has a stage after all prerequisite types, and after its inputs unless types contradict them', () => {
  const edges = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 30 })
  fc.assert(
    fc.property(
      fc.array(fc.nat(4), { minLength: 1, maxLength: 12 }),
      edges,
      fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 5 }),
      fc.boolean(),
      (types, pairs, typePairs, along) => {
        const batch = types.map((type_id, id) => ({ id, type_id }))
        const typeOf = (id: number) => types[id] ?? 0
        // Neither contains cycles, which cannot be saved.
        const dependencies = typePairs
          .filter(([later, earlier]) => later > earlier)
          .map(([task_type_id, depends_on_id]) => ({ task_type_id, depends_on_id }))
        const inputs = pairs
          .filter(([later, earlier]) => later > earlier && later < types.length)
          // `along`: no input belongs to a later type.
          .filter(([later, earlier]) => !along || typeOf(later) >= typeOf(earlier))
          .map(([task_id, input_task_id]) => ({ task_id, input_task_id }))
        const stages = queueStages(batch, { inputs, dependencies })
        expect(stages.size).toBe(types.length)
        const stageOf = (id: number) => stages.get(id) ?? -1
        for (const { task_type_id, depends_on_id } of dependencies)
          for (const one of batch.filter(({ type_id }) => type_id === task_type_id))
            for (const other of batch.filter(({ type_id }) => type_id === depends_on_id))
              expect(stageOf(one.id)).toBeGreaterThan(stageOf(other.id))
        if (along || dependencies.length === 0)
          for (const { task_id, input_task_id } of inputs)
            expect(stageOf(task_id)).toBeGreaterThan(stageOf(input_task_id))
      },
    ),
    { numRuns: 500 },
  )
})
