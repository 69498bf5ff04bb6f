import { expect, test } from 'vitest'
import { PendingUrlParams } from './pending-url-params.ts'

const set = (name: string, value: string) => (before: URLSearchParams) => {
  const after = new URLSearchParams(before)
  after.set(name, value)
  return after
}
const anAddress = () => new PendingUrlParams(new URLSearchParams())

test('a change is applied to a pending one', () => {
  const address = anAddress()
  address.change(set('q', 'walk'))
  expect(String(address.change(set('group', 'Walkers')))).toBe('q=walk&group=Walkers')
})

test('the arrival of a change does not undo a later pending one', () => {
  const address = anAddress()
  const first = address.change(set('q', 'on foot'))
  const second = address.change(set('q', 'walk'))
  address.arrive(first)
  expect(String(address.change(set('group', 'Walkers')))).toBe('q=walk&group=Walkers')
  address.arrive(second)
  expect(String(address.change(set('status', 'on')))).toBe('q=walk&group=Walkers&status=on')
})

test('after a navigation, the next change is applied to the new URL', () => {
  const address = anAddress()
  address.change(set('q', 'walk'))
  address.arrive(new URLSearchParams('group=Runners'))
  expect(String(address.change(set('status', 'on')))).toBe('group=Runners&status=on')
})
