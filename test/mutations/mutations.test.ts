import { expect, test } from 'vitest'
import { findMutation, mutations } from './mutations.ts'

test('each planted fault finds its text once, and its tests', async () => {
  const problems: string[] = []
  for (const mutation of mutations) {
    const { problem } = await findMutation(mutation)
    if (problem !== null) problems.push(`${mutation.name}: ${problem}`)
  }
  expect(problems).toEqual([])
})

test('no two planted faults have one name', () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length)
})
