import { expect, test } from 'vitest'
import { unmetPrerequisites } from './prerequisites.ts'

test.each([
  ['success', 'success', true, null],
  ['success', 'warning', true, null],
  ['success', 'failed', true, 'Prices (failed)'],
  ['success', 'error', true, 'Prices (error)'],
  ['success', 'stopped', true, 'Prices (stopped)'],
  ['success', null, true, 'Prices (has not run)'],
  ['success', null, false, null],
  ['completion', 'success', true, null],
  ['completion', 'failed', true, null],
  ['completion', 'stopped', true, null],
  ['completion', null, true, 'Prices (has not run)'],
  ['completion', null, false, null],
] as const)('condition %s, last run %s, was due %s: %s', (condition, ended, was_due, unmet) => {
  expect(unmetPrerequisites([{ name: 'Prices', condition, ended, was_due }])).toEqual(unmet ? [unmet] : [])
})
