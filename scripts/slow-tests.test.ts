import { existsSync, globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MAIN_SPECS, SLOW_TESTS } from './slow-tests.ts'

test('each entry of the slow tests names one file', () => {
  expect(SLOW_TESTS.filter((glob) => globSync(glob).length !== 1)).toEqual([])
})

test('each browser spec of the main paths exists', () => {
  expect(MAIN_SPECS.filter((path) => !existsSync(path))).toEqual([])
})
