import { expect, test } from 'vitest'
import { FlatRows } from './flat-rows.ts'

const table = (...entries: unknown[]) => {
  const flat = new FlatRows()
  const rows = entries.map((entry) => flat.row(entry))
  return [flat.columns, ...rows]
}

test('nested objects become dotted columns, lists JSON text', () => {
  expect(table({ sku: 'A', price: { amount: 1.5, tax: { rate: 7 } }, tags: ['x', { y: null }] })).toEqual([
    ['sku', 'price.amount', 'price.tax.rate', 'tags'],
    ['A', 1.5, 7, '["x",{"y":null}]'],
  ])
})

test('columns that first occur later are appended', () => {
  expect(table({ a: 1 }, { b: true, a: 2 }, { c: { d: 'x' } })).toEqual([
    ['a', 'b', 'c.d'],
    [1],
    [2, true],
    [null, null, 'x'],
  ])
})

test('__proto__ and constructor are names like any other', () => {
  const entry: unknown = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"x": 2}}}')
  expect(table(entry)).toEqual([
    ['__proto__.polluted', 'constructor.prototype.x'],
    [1, 2],
  ])
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('two values with the same dotted name get separate columns', () => {
  expect(table({ 'a.b': 1, a: { b: 2 } })).toEqual([
    ['a.b', 'a.b (2)'],
    [1, 2],
  ])
})

test('entries that are not objects are rows, too', () => {
  expect(table('x', 5, null, [1, 'y'])).toEqual([
    ['value', 'value.1', 'value.2'],
    ['x'],
    [5],
    [],
    [null, 1, 'y'],
  ])
})

test('very deep nesting stays JSON', () => {
  let entry: unknown = 'leaf'
  for (let depth = 0; depth < 25; depth += 1) entry = { d: entry }
  const [columns, row] = table(entry)
  expect(columns).toEqual([Array(20).fill('d').join('.')])
  expect(row).toEqual(['{"d":{"d":{"d":{"d":{"d":"leaf"}}}}}'])
})
