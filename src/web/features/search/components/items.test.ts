import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Found } from '../../../../contract/search/calls.ts'
import { groupsFor, readText } from './items.ts'
import { screens } from './screens.ts'

const task = {
  id: 7,
  category: 'sync',
  config_id: null,
  name: 'Prices',
  type: 'Nightly',
  place: 'Shop / Data',
} as const
const found: Found = {
  tasks: [
    task,
    { ...task, id: 8, category: 'compiler', config_id: 3, name: 'Catalogue', type: null, place: '' },
  ],
  types: [{ id: 5, category: 'source', name: 'Daily', tasks: 2 }],
  task_counts: { sync: 12, source: 0, compiler: 1 },
}
const known = { found, signed_in: true, actions: [], recent: [] }
const labels = (text: string, more: Partial<Parameters<typeof groupsFor>[0]> = {}) =>
  Object.fromEntries(
    groupsFor({ ...known, text, ...more }).map(({ label, items }) => [
      label,
      items.map((item) => item.label),
    ]),
  )

test('found tasks and types lead to their pages, and more matches to the list', () => {
  const items = groupsFor({ ...known, text: 'x' }).flatMap((group) => group.items)
  expect(items.map((item) => ('to' in item ? item.to : item.label))).toEqual([
    '/sync_tasks/7',
    '/compiler/3',
    '/sync_tasks?q=x',
    '/source_tasks?type=5',
    'Run Prices',
    'Run Catalogue',
  ])
})

test('after "run", the found tasks are offered to run only', () => {
  expect(labels('run pri')).toEqual({ Run: ['Run Prices', 'Run Catalogue'] })
  expect(readText(' Run  prices now ')).toEqual({ text: 'prices now', is_run: true })
  expect(readText('runner')).toEqual({ text: 'runner', is_run: false })
})

test('a text finds screens by the start of their words and by other words', () => {
  const nothing = { found: undefined }
  expect(labels('sour sch', nothing)).toEqual({ 'Go to': ['Source Schedule'] })
  expect(labels('alarms', nothing)).toEqual({ 'Go to': ['Settings'] })
  expect(labels('arms', nothing)).toEqual({})
})

test('a screen whose name matches comes before one that only other words match', () => {
  expect(labels('source', { found: undefined })['Go to']?.[0]).toBe('Source Tasks')
  expect(labels('sync', { found: undefined })['Go to']).toEqual(['Sync Tasks', 'Task Types'])
})

test('recent destinations are shown until something is typed', () => {
  const recent = [{ key: 'sync 7', kind: 'sync', label: 'Prices', detail: '', to: '/sync_tasks/7' } as const]
  expect(labels('', { recent }).Recent).toEqual(['Prices'])
  expect(labels('zz', { recent, found: undefined }).Recent).toBeUndefined()
})

test('signed out, only public screens are offered', () => {
  expect(labels('', { found: undefined, signed_in: false })['Go to']).toEqual([
    'Home',
    'Import/Export',
    'Schedule',
    'Developer logs',
  ])
})

test('every screen of the router with a fixed URL is offered', async () => {
  const router = await readFile(new URL('../../../router.tsx', import.meta.url), 'utf8')
  const paths = [...router.matchAll(/^\s+(?:\{ )?path: '(\/[^':*]*)'/gm)].map(([, path]) => path ?? '')
  // The page of previews needs their runs in its address.
  const pages = paths.filter((path) => !path.endsWith('/new') && !path.endsWith('/') && path !== '/plans')
  expect(screens.map(({ path }) => path).sort()).toEqual(['/', ...pages].sort())
})
