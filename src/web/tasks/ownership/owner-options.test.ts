import { expect, test } from 'vitest'
import { ownerOptions } from './owner-options.ts'

const users = [
  { id: 1, name: 'Ada', email: 'ada@example.com', is_disabled: false },
  { id: 2, name: 'Sam', email: 'sam.one@example.com', is_disabled: false },
  { id: 3, name: 'Sam', email: 'sam.two@example.com', is_disabled: false },
  { id: 4, name: '', email: 'nameless@example.com', is_disabled: false },
  { id: 5, name: 'Eve', email: 'eve@example.com', is_disabled: true },
]
const labels = (current: string | null) => ownerOptions(users, current).map(({ label }) => label)

test('enabled users can own a task; those of the same name are shown with their address', () => {
  expect(labels(null)).toEqual([
    'Ada',
    'Sam (sam.one@example.com)',
    'Sam (sam.two@example.com)',
    'nameless@example.com',
  ])
})

test('a disabled user stays selectable as the current owner', () => {
  expect(labels('5')).toContain('Eve')
})
