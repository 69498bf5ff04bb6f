import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Row } from '../../../../contract/tables.ts'
import { rowText } from '../../../connectors/row-json.ts'
import { Fingerprint } from '../../../snapshots/fingerprint.ts'
import { patchesOf } from '../compare/patches.ts'
import { RowSpans } from '../compare/row-spans.ts'

const COLUMNS = 5
// Gaps between rows up to the maximum of one range, and larger.
const table = fc.array(
  fc.array(fc.constantFrom('a', 'b', '', 1, false), { minLength: COLUMNS, maxLength: COLUMNS }),
  {
    minLength: 1,
    maxLength: 60,
  },
)
const changes = fc.array(
  fc.record({ row: fc.nat(59), column: fc.nat(COLUMNS - 1), value: fc.constantFrom('new', '', 7, true) }),
  { maxLength: 12 },
)

/** Writes ranges of values as Google does: null leaves a cell as it is, '' clears it. */
function written(target: Row[], patches: { row: number; json: Uint8Array }[]): Row[] {
  const rows = target.map((cells) => [...cells])
  for (const { row, json } of patches)
    for (const [column, cell] of JSON.parse(Buffer.from(json).toString()).entries())
      if (cell !== null) rows[row] = (rows[row] ?? []).with(column, cell)
  return rows
}

test('patches turn the rows of the target into those of the copy, and change no other cell', async () => {
  await fc.assert(
    fc.asyncProperty(table, changes, fc.integer({ min: 1, max: 20 }), async (target, some, page) => {
      const copy = target.map((cells) => [...cells])
      const spans = new RowSpans()
      for (const { row, column, value } of some) {
        const cells = copy[row]
        if (!cells) continue
        cells[column] = value
        if (value !== target[row]?.[column]) spans.add(row, column)
      }
      const fingerprint = new Fingerprint()
      // Blank cells occur as '' and as null.
      const blank = (text: string, row: number) => (row % 2 === 0 ? text : text.replaceAll('""', 'null'))
      const rows = copy.map((cells, row) => ({ row, json: Buffer.from(blank(trimmedText(cells), row)) }))
      for (const { json } of rows) fingerprint.push(json, 1)
      const pages = async function* () {
        for (let from = 0; from < rows.length; from += page) yield rows.slice(from, from + page)
      }
      const patches = patchesOf({ fingerprint, columns: COLUMNS }, { spans }, pages)
      const sent: { row: number; json: Uint8Array }[] = []
      for await (const piece of patches.rows()) sent.push(...piece)
      expect(written(target, sent)).toEqual(copy)
      // Rows in between are skipped and never written.
      for (const { row, json } of sent) if (!spans.of(row)) expect(Buffer.from(json).toString()).toBe('[]')
      const numbers = sent.map(({ row }) => row)
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
      expect(patches.bytes > 0).toBe(numbers.length > 0)
    }),
  )
})

/** Removes blank cells at the end, as in stored rows. */
const trimmedText = (cells: Row) => rowText(cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1))
