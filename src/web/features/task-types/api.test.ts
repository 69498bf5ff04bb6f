import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { CallError } from '../../lib/call.ts'
import { sourceTypeForm, sourceTypes, syncTypes, unifiedTypes } from './api.ts'

const told = (status: number, message: string, code?: string) =>
  new CallError(status, message, { message, ...(code !== undefined && { code }) })
const silent = (status: number) => new CallError(status, '')

const sync = syncTypes.labels
const source = sourceTypes.labels
const form = sourceTypeForm.labels
const unified = unifiedTypes.labels

test.each([
  ['a sync type, refused with words', sync, told(400, 'It has tasks.'), 'It has tasks.'],
  ['a sync type, refused without words', sync, silent(400), 'Cannot delete this type'],
  ['a sync type, for another reason', sync, told(404, 'Gone'), 'Failed to delete sync task type'],
  ['a source type, with words', source, told(400, 'It has tasks.'), 'It has tasks.'],
  ['a source type, without words', source, silent(500), 'Failed to delete source task type'],
  ['a source type on its page', form, silent(500), 'Failed to delete task type. Please try again.'],
  ['a type of any category, with words', unified, told(400, 'It has tasks.'), 'It has tasks.'],
  [
    'a type of any category, without words',
    unified,
    silent(500),
    'Failed to delete task type. It may be referenced by existing tasks.',
  ],
])('deleting %s', (_, labels, error, text) => {
  expect(labels.delete_failure(error)).toBe(text)
})

test.each([
  ['sync types', sync, silent(500), 'Failed to update order'],
  ['sync types that others added', sync, told(409, 'Look again.', 'order_changed'), 'Look again.'],
  ['source types', source, silent(500), 'Failed to reorder source task types'],
  ['source types, with words', source, told(409, 'Look again.', 'order_changed'), 'Look again.'],
])('moving %s', (_, labels, error, text) => {
  expect(labels.order_failure(error)).toBe(text)
})

test('what a form says of a failed save without words, and what is told beside it', () => {
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

test('what is said of a circle', () => {
  expect(sync.circular).toBe('Circular dependency detected. Please select a different dependency.')
  expect(source.circular).toBe('Circular dependency detected')
})

test('what is read or changed of sync types gives up after 45 s; of other types it takes its time', async () => {
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
