import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scaledScroll, TALLEST_PX } from './scaled-scroll.ts'

const millionRows = 36 * 1_000_000
const view = 700

test('content that fits keeps its height and scrolls pixel by pixel', () => {
  const { height, offsetAt, scrollAt } = scaledScroll(36_000, view)
  expect(height).toBe(36_000)
  expect([0, 1, 17_650, 35_300].map(offsetAt)).toEqual([0, 1, 17_650, 35_300])
  expect([0, 1, 17_650, 35_300].map(scrollAt)).toEqual([0, 1, 17_650, 35_300])
})

test('a million rows fit in the maximum element height, and its ends show the first and the last row', () => {
  const { height, offsetAt } = scaledScroll(millionRows, view)
  expect(height).toBe(TALLEST_PX)
  expect(offsetAt(0)).toBe(0)
  expect(offsetAt(height - view)).toBe(millionRows - view)
  expect(offsetAt((height - view) / 2)).toBeCloseTo((millionRows - view) / 2)
})

test('near both ends rows move pixel by pixel with the scroll bar', () => {
  const { height, offsetAt } = scaledScroll(millionRows, view)
  expect(offsetAt(540) - offsetAt(500)).toBe(40)
  expect(offsetAt(height - view - 500) - offsetAt(height - view - 540)).toBe(40)
})

test('content shorter than the viewport does not scroll', () => {
  const { height, offsetAt, scrollAt } = scaledScroll(100, view)
  expect([height, offsetAt(0), offsetAt(50), scrollAt(0)]).toEqual([100, 0, 0, 0])
})

const scene = fc
  .record({
    content: fc.integer({ min: 0, max: 400_000_000 }),
    view: fc.integer({ min: 1, max: 3000 }),
    tallest: fc.integer({ min: 10_000, max: 20_000_000 }),
  })
  .map(({ content, view, tallest }) => scaledScroll(content, view, tallest))

test('the mapping from scroll offset to content offset is monotonic and reversible', () => {
  fc.assert(
    fc.property(
      scene,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (scroll, one, other) => {
        const [upper = 0, lower = 0] = [one, other].sort((a, b) => a - b).map((part) => part * scroll.height)
        const offset = scroll.offsetAt(upper)
        expect(scroll.offsetAt(lower)).toBeGreaterThanOrEqual(offset)
        expect(scroll.offsetAt(scroll.scrollAt(offset))).toBeCloseTo(offset, 3)
      },
    ),
  )
})
