import { expect, test } from 'vitest'
import { scaledScroll } from './scaled-scroll.ts'
import { ROW_HEIGHT, visiblePages, visibleRowsAt } from './visible-rows.ts'

const view = 720
const sight = (rows: number, at: number) =>
  visibleRowsAt(scaledScroll(rows * ROW_HEIGHT, view), at, { view, rows })

test('visible rows are rendered with overscan, the first one at its offset', () => {
  expect(sight(1_000, 0)).toEqual({ first: 0, end: 36, top: 0 })
  const { first, end, top } = sight(1_000, 500 * ROW_HEIGHT)
  expect(first).toBeLessThanOrEqual(500)
  expect(end).toBeGreaterThanOrEqual(520)
  expect(end - first).toBeLessThan(60)
  expect(top).toBe(first * ROW_HEIGHT)
})

test('no rows are rendered beyond the last one', () => {
  expect(sight(3, 0)).toEqual({ first: 0, end: 3, top: 0 })
  expect(sight(1_000, 980 * ROW_HEIGHT).end).toBe(1_000)
})

test('at the end of a million rows the last one is at the bottom of the viewport', () => {
  const rows = 1_000_000
  const scroll = scaledScroll(rows * ROW_HEIGHT, view)
  const at = scroll.height - view
  const { first, end, top } = visibleRowsAt(scroll, at, { view, rows })
  expect(end).toBe(rows)
  expect(top + (end - first) * ROW_HEIGHT).toBe(at + view)
})

const pages = (row: number, rows = 10_000) => visiblePages(row * ROW_HEIGHT, { view, rows })

test('the next page is loaded once its first row is within 100 pixels of the viewport', () => {
  expect(pages(0)).toEqual([0])
  expect(pages(477)).toEqual([0])
  expect(pages(478)).toEqual([0, 1])
  expect(pages(502)).toEqual([0, 1])
  expect(pages(503)).toEqual([1])
})

test('no page is loaded beyond the last one', () => {
  expect(pages(9_990)).toEqual([19])
  expect(pages(0, 3)).toEqual([0])
  expect(pages(480, 500)).toEqual([0])
  expect(pages(0, 0)).toEqual([0])
})
