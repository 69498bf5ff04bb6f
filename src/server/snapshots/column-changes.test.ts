import { expect, test } from 'vitest'
import type { Row } from '../../contract/tables.ts'
import { columnChanges } from './column-changes.ts'

const header = ['SKU', 'Name', 'Colour', 'Size', 'Batch']
const colours = ['Black', 'White', 'Sea green']
const sizes = ['S', 'M', 'L', 'XL']

/** Forty products of a batch. */
const products = (batch: string): Row[] =>
  Array.from({ length: 40 }, (_, n) => [
    `A-${n}`,
    `Chair ${n}`,
    colours[n % 3] ?? '',
    sizes[n % 4] ?? '',
    batch,
  ])

const changes = (rows: Row[]) =>
  columnChanges({ header, rows: products('Round 2') }, { header, rows }).map(
    ({ kind, before, looks_like }) => [kind, before?.name, looks_like],
  )

test('another value in every row is no shift, even if it has the form of a neighbour’s values', () => {
  expect(changes(products('Round 3'))).toEqual([])
})

test('values that move to the next column are a shift', () => {
  const shifted = products('Round 2').map(
    ([sku, name, colour, size]): Row => [sku ?? null, name ?? null, '', colour ?? null, size ?? null],
  )
  expect(changes(shifted)).toEqual([
    ['shifted', 'Size', 'Colour'],
    ['shifted', 'Batch', 'Size'],
  ])
})
