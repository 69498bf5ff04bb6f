import { describe, expect, test } from 'vitest'
import { CellNotes } from '../../cell-notes.ts'
import { reasonToRefuse } from '../compare/reason-to-refuse.ts'
import { describeReading } from '../read/read-summary.ts'
import type { ReadReport } from '../read/source-copy.ts'

const address = (row: number, column: number) => `${String.fromCharCode(65 + column)}${row + 1}`
const target = { provider: 'Google', cell_characters: 50_000, readFormats: async () => new Map() }
const report = (changes: Partial<ReadReport> = {}): ReadReport => ({
  requests: 3,
  readings: 1,
  unsettled: false,
  notes: new CellNotes(),
  excluded: [],
  unchosen: { names: [], areCopied: false },
  filtered: null,
  incomplete: null,
  limit: null,
  mixed_formats: [],
  format_sample_rows: null,
  blank_sources: [],
  address,
  ...changes,
})
const copy = { header: ['SKU', null], columns: 20, fingerprint: { rows: 20_001 } }
const title = '‘Products’ in ‘Catalogue’'

describe('the summary of a reading', () => {
  test('is its size and cost', () => {
    expect(describeReading(title, copy, report(), target)).toEqual({
      info: ['Read 20,000 rows x 20 columns from ‘Products’ in ‘Catalogue’ in 3 requests.'],
      warnings: [],
      error: null,
    })
  })

  test('names columns of different formats, by their address where the header is blank', () => {
    const mixed_formats = [0, 1].map((column) => ({ column, is_kept: true }))
    const { info } = describeReading(title, copy, report({ mixed_formats, format_sample_rows: 98 }), target)
    expect(info).toContain('Cells in SKU, B1 have different number formats: each keeps its own.')
    expect(info).toContain(
      'Number formats were judged by a sample of 98 rows: other formats in rows between them do not show.',
    )
  })

  test('warns of columns whose formats are not kept, because they change too often or the target has one for a column', () => {
    const mixed_formats = [0, 1].map((column) => ({ column, is_kept: column === 0 }))
    const warningsOf = (to: Parameters<typeof describeReading>[3]) =>
      describeReading(title, copy, report({ mixed_formats }), to).warnings.map(({ message }) => message)
    const too_often =
      'The number formats in B1 change too often (a table keeps 10,000 changes): all cells get the most frequent format.'
    expect(warningsOf(target)).toEqual([too_often])
    const { readFormats: _, ...uniform } = target
    expect(warningsOf({ ...uniform, provider: 'Tabledir' })).toEqual([
      too_often,
      'Tabledir keeps one number format for a column: all cells in SKU get the most frequent one.',
    ])
  })

  test('refuses text that no cell can take, and names the cells', () => {
    const notes = new CellNotes()
    for (let row = 1; row <= 7; row += 1) notes.take([null, 'x'.repeat(50_001)], row)
    expect(describeReading(title, copy, report({ notes }), target).error).toBe(
      '‘Products’ in ‘Catalogue’ has 7 cells (B2, B3, B4, B5, B6 and others) with more than 50,000 characters of text, the limit of Google.',
    )
  })

  test('points out characters that were replaced', () => {
    const notes = new CellNotes()
    notes.take(['\0'], 4)
    expect(describeReading(title, copy, report({ notes }), target).warnings).toMatchObject([
      { message: '1 cell (A5) with characters that cannot be stored, replaced by �.' },
    ])
  })

  test('points out errors; the same cells are the same warning, others are another one', () => {
    const subjectOf = (rows: number[]) => {
      const notes = new CellNotes()
      for (const row of rows) notes.take(['#N/A'], row)
      return describeReading(title, copy, report({ notes }), target).warnings.map(({ subject }) => subject)
    }
    const cells = [1, 2, 3, 4, 5, 6, 7]
    expect(subjectOf(cells)).toHaveLength(1)
    expect(subjectOf(cells)).toEqual(subjectOf(cells))
    expect(subjectOf([...cells, 8])).not.toEqual(subjectOf(cells))
    expect(subjectOf([1, 2, 3, 4, 5, 6, 9])).not.toEqual(subjectOf(cells))
  })
})

describe('a source is refused', () => {
  const titles = { source: title, target: '‘Shop’ in ‘Web shop’', start_row: 3, isFiltered: false }
  const refused = (columns: number, rows: number, target_rows: number) =>
    reasonToRefuse({ columns, fingerprint: { rows } }, { target_rows }, titles)

  test.each([
    { columns: 0, rows: 0, target_rows: 0, because: /has nothing in or below row 3/ },
    { columns: 0, rows: 0, target_rows: 9, because: /has nothing in or below row 3/ },
    {
      columns: 2,
      rows: 1,
      target_rows: 2,
      because: /‘Shop’ in ‘Web shop’ has 1 row\. The target was not changed, because/,
    },
  ])(
    'with $columns columns and $rows rows for a target of $target_rows',
    ({ columns, rows, target_rows, because }) => {
      expect(refused(columns, rows, target_rows)).toMatch(because)
    },
  )

  test('but not with only a header for a target without rows', () => {
    expect(refused(2, 1, 1)).toBeNull()
    expect(refused(2, 1, 0)).toBeNull()
    expect(refused(2, 2, 90)).toBeNull()
  })
})
