import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LONGEST } from './longest-first.ts'

test('each file that begins before the others is there', () => {
  expect(LONGEST.filter((path) => !existsSync(path))).toEqual([])
})
