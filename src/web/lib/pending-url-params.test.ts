import { expect, test } from 'vitest'
import { PendingUrlParams } from './pending-url-params.ts'

const set = (name: string, value: string) => (before: URLSearchParams) => {
  const after = new URLSearchParams(before)
  after.set(name, value)
  return after
}
const anAddress = () => new PendingUrlParams(new URLSearchParams())

test('a change builds on one that has not arrived', () => {
  const address = anAddress()
  address.change(set('q', 'walk'))
  expect(String(address.change(set('group', 'Walkers')))).toBe('q=walk&group=Walkers')
})

test('one that arrives when a later one is under way takes nothing of that back', () => {
  const address = anAddress()
  const first = address.change(set('q', 'on foot'))
  const second = address.change(set('q', 'walk'))
  address.arrive(first)
  expect(String(address.change(set('group', 'Walkers')))).toBe('q=walk&group=Walkers')
  address.arrive(second)
  expect(String(address.change(set('status', 'on')))).toBe('q=walk&group=Walkers&status=on')
})

test('where something else leads to, the next change builds on that', () => {
  const address = anAddress()
  address.change(set('q', 'walk'))
  address.arrive(new URLSearchParams('group=Runners'))
  expect(String(address.change(set('status', 'on')))).toBe('group=Runners&status=on')
})
