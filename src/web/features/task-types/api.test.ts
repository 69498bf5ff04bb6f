import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { CallError } from '../../lib/call.ts'
import { sourceTypeForm, sourceTypes, syncTypes, unifiedTypes } from './api.ts'

const withMessage = (status: number, message: string, code?: string) =>
  new CallError(status, message, { message, ...(code !== undefined && { code }) })
const withoutMessage = (status: number) => new CallError(status, '')

const sync = syncTypes.labels
const source = sourceTypes.labels
const form = sourceTypeForm.labels
const unified = unifiedTypes.labels

test.each([
  ['a sync type, rejected with a message', sync, withMessage(400, 'It has tasks.'), 'It has tasks.'],
  ['a sync type, rejected without a message', sync, withoutMessage(400), 'Cannot delete this type'],
  ['a sync type, for another reason', sync, withMessage(404, 'Gone'), 'Failed to delete sync task type'],
  ['a source type, with a message', source, withMessage(400, 'It has tasks.'), 'It has tasks.'],
  ['a source type, without a message', source, withoutMessage(500), 'Failed to delete source task type'],
  ['a source type on its page', form, withoutMessage(500), 'Failed to delete task type. Please try again.'],
  ['a type of any category, with a message', unified, withMessage(400, 'It has tasks.'), 'It has tasks.'],
  [
    'a type of any category, without a message',
    unified,
    withoutMessage(500),
    'Failed to delete task type. It may be referenced by existing tasks.',
  ],
])('deleting %s', (_, labels, error, text) => {
  expect(labels.delete_failure(error)).toBe(text)
})

test.each([
  ['sync types', sync, withoutMessage(500), 'Failed to update order'],
  ['sync types that others added', sync, withMessage(409, 'Look again.', 'order_changed'), 'Look again.'],
  ['source types', source, withoutMessage(500), 'Failed to reorder source task types'],
  ['source types, with a message', source, withMessage(409, 'Look again.', 'order_changed'), 'Look again.'],
])('moving %s', (_, labels, error, text) => {
  expect(labels.order_failure(error)).toBe(text)
})

test('messages of a failed save without a message of the server', () => {
  expect([sync, source, form, unified].map((labels) => labels.save_failed)).toEqual([
    'An unexpected error occurred',
    'Failed to save type',
    'Failed to save task type. Please try again.',
    'Failed to save task type. Please check your inputs.',
  ])
  expect(sync.save_failed_beside?.(true)).toBe('Failed to save sync task type')
  expect(source.save_failed_beside?.(true)).toBe('Failed to create source task type')
  expect(source.save_failed_beside?.(false)).toBe('Failed to update source task type')
})

test('messages of a cycle', () => {
  expect(sync.circular).toBe('Circular dependency detected. Please select a different dependency.')
  expect(source.circular).toBe('Circular dependency detected')
})

test('calls on sync types time out after 45 s; calls on other types have no time limit', async () => {
  const limit = vi.spyOn(AbortSignal, 'timeout')
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async () => Response.json([]))
  const client = new QueryClient()
  expect(await client.fetchQuery(sourceTypes.query)).toEqual([])
  for (const types of [sourceTypes, sourceTypeForm, unifiedTypes]) types.limited()
  expect(limit).not.toHaveBeenCalled()
  expect(await client.fetchQuery(syncTypes.query)).toEqual([])
  syncTypes.limited()
  expect(limit.mock.calls).toEqual([[45_000], [45_000]])
  vi.unstubAllGlobals()
  limit.mockRestore()
})
