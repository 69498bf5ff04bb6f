import { expect, test } from 'vitest'
import { addedDependency, conditionOf, noDraft, withDraft } from './dependency-rules.ts'

const depends = (id: number) => ({
  dependency_task_type_id: id,
  condition_type: 'success' as const,
  name: '',
  task_category: 'source' as const,
})
const type = (id: number, ...on: number[]) => ({
  id,
  name: `Type ${id}`,
  task_category: 'source' as const,
  dependencies: on.map(depends),
})
const types = [type(1), type(2, 1), type(3)]
const ten = Array.from({ length: 10 }, (_, n) => depends(100 + n))

test.each([
  ['no type', { type: null, condition: 'success' }, [], 'Please select a task type'],
  ['no condition', { type: '2', condition: null }, [], 'Please select a condition type'],
  ['an unknown condition', { type: '2', condition: 'never' }, [], 'Please select a condition type'],
  [
    'a type that is selected already',
    { type: '3', condition: 'success' },
    [depends(3)],
    'This task type is already selected as a dependency',
  ],
  ['an eleventh', { type: '3', condition: 'success' }, ten, 'Maximum of 10 dependencies allowed'],
  ['the type itself', { type: '1', condition: 'success' }, [], 'Circular dependency detected'],
  ['a dependent of the type', { type: '2', condition: 'completion' }, [], 'Circular dependency detected'],
])('%s is rejected', (_, wanted, chosen, problem) => {
  expect(addedDependency(wanted, chosen, types, 1)).toEqual({ problem })
})

test('another type is added with its condition; a new type cannot close a cycle', () => {
  const added = { ...depends(2), condition_type: 'completion', name: 'Type 2' }
  expect(addedDependency({ type: '2', condition: 'completion' }, [], types, undefined)).toEqual({ added })
})

test('a select has one of two conditions', () => {
  expect(['success', 'completion', '', null].map(conditionOf)).toEqual([
    'success',
    'completion',
    undefined,
    undefined,
  ])
})

test('a selected dependency is included without pressing Add; a type without a condition is an error', () => {
  const added = { ...depends(2), condition_type: 'completion', name: 'Type 2' }
  expect(withDraft({ type: '2', condition: 'completion' }, [depends(3)], types, undefined)).toEqual({
    dependencies: [depends(3), added],
    problem: null,
  })
  expect(withDraft({ type: '2', condition: null }, [depends(3)], types, undefined)).toEqual({
    dependencies: [depends(3)],
    problem: 'Please select a condition type',
  })
  for (const draft of [noDraft, { type: null, condition: 'success' }])
    expect(withDraft(draft, [depends(3)], types, undefined)).toEqual({
      dependencies: [depends(3)],
      problem: null,
    })
})
