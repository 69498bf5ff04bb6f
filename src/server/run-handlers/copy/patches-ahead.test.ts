import { expect, test, vi } from 'vitest'
import type { NumberedRow } from '../../connectors/connector.ts'
import { Fingerprint } from '../../snapshots/fingerprint.ts'
import { PatchesAhead } from './patches-ahead.ts'
import { RowSpans } from './row-spans.ts'

const [ROWS, PER_PAGE] = [60, 10]
/** More than one commit carries. */
const TOO_MUCH = 1.1
const json = Buffer.from('["first","second","third","fourth"]')

/** Patches of a table whose every third row differs, from column `from` on; `begun` is called with them. */
function patching(from = 3) {
  const fingerprint = new Fingerprint()
  const spans = new RowSpans()
  for (let row = 0; row < ROWS; row += 1) {
    fingerprint.push(json, 4)
    if (row % 3 === 0) for (let column = from; column < 4; column += 1) spans.add(row, column)
  }
  const begun = vi.fn()
  const ahead = new PatchesAhead({
    copy: { fingerprint, columns: 4 },
    table: async function* () {
      for (let row = 0; row < ROWS; row += PER_PAGE)
        yield Array.from({ length: PER_PAGE }, (_, index) => ({ row: row + index, json }))
    },
    begin: begun,
  })
  return { ahead, spans, begun }
}

/** Takes the pages as they come; `rows`: of the patches that came so far. */
function taking(ahead: PatchesAhead) {
  const rows: number[] = []
  const add = (page: NumberedRow[]) =>
    rows.push(...page.filter(({ json }) => json.length > 2).map(({ row }) => row))
  const over = (async () => {
    for await (const page of ahead.pages()) add(page)
  })()
  return { rows, over }
}

/** Whatever can go on by itself has. */
const delayed = () => new Promise((resolve) => setImmediate(resolve))

const everyThird = (end: number) => Array.from({ length: Math.ceil(end / 3) }, (_, index) => index * 3)

test('rows that differ come once they have been compared, and are all when all of them were', async () => {
  const { ahead, spans, begun } = patching()
  ahead.grow(25, { spans, filled: TOO_MUCH })
  expect(begun).toHaveBeenCalledExactlyOnceWith(ahead)
  const { rows, over } = taking(ahead)
  await vi.waitFor(() => expect(rows).toEqual(everyThird(20)))
  ahead.grow(ROWS, { spans, filled: TOO_MUCH })
  await vi.waitFor(() => expect(rows).toEqual(everyThird(ROWS)))
  expect(ahead.isWhole).toBe(false)
  ahead.complete()
  await over
  expect(ahead.isWhole).toBe(true)
  expect(begun).toHaveBeenCalledTimes(1)
})

test('it is told early that a change is likely to be large, and its rows come once that is certain', async () => {
  const { ahead, spans, begun } = patching()
  // Seven rows are too few to go by, and what is to fill a commit just so is not likely to fill more.
  ahead.grow(7, { spans, filled: 0.9 })
  ahead.grow(20, { spans, filled: 0.39 })
  expect(begun).not.toHaveBeenCalled()
  ahead.grow(30, { spans, filled: 0.61 })
  expect(begun).toHaveBeenCalledExactlyOnceWith(ahead)
  const { rows, over } = taking(ahead)
  ahead.grow(50, { spans, filled: 1 })
  await delayed()
  expect(rows).toEqual([])
  ahead.grow(55, { spans, filled: TOO_MUCH })
  await vi.waitFor(() => expect(rows).toEqual(everyThird(50)))
  ahead.grow(ROWS, { spans, filled: TOO_MUCH })
  ahead.complete()
  await over
  expect(rows).toEqual(everyThird(ROWS))
  expect(ahead.isWhole).toBe(true)
})

test.each(['complete', 'close'] as const)(
  'no rows come of a change that only began like a large one: %s',
  async (end) => {
    const { ahead, spans, begun } = patching()
    ahead.grow(10, { spans, filled: 0.8 })
    expect(begun).toHaveBeenCalledOnce()
    const { rows, over } = taking(ahead)
    ahead.grow(ROWS, { spans, filled: 0.8 })
    ahead[end]()
    await over
    expect(rows).toEqual([])
    expect(ahead.isWhole).toBe(false)
  },
)

test('they are not all when more came to light at the end', async () => {
  const { ahead, spans } = patching()
  ahead.grow(ROWS, { spans, filled: TOO_MUCH })
  const { rows, over } = taking(ahead)
  await vi.waitFor(() => expect(rows).toEqual(everyThird(ROWS)))
  ahead.close()
  ahead.complete()
  await over
  expect(ahead.isWhole).toBe(false)
})

test('none come any more when they are closed', async () => {
  const { ahead, spans } = patching()
  ahead.grow(25, { spans, filled: TOO_MUCH })
  const { rows, over } = taking(ahead)
  ahead.close()
  await over
  expect(rows.length).toBeLessThan(everyThird(25).length)
  expect(ahead.isWhole).toBe(false)
})

test('nobody is told of a change that has half of the table’s bytes', () => {
  const { ahead, spans, begun } = patching(0)
  for (let row = 0; row < ROWS; row += 1) spans.add(row, row % 2 === 0 ? 0 : 3)
  ahead.grow(25, { spans, filled: TOO_MUCH })
  ahead.grow(ROWS, { spans, filled: TOO_MUCH })
  ahead.complete()
  expect(begun).not.toHaveBeenCalled()
})
