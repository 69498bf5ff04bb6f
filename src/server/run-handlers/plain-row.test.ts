import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRow, storedText } from '../connectors/row-json.ts'
import { CellNotes } from './cell-notes.ts'
import { plainRow } from './plain-row.ts'

const columnsOf = (json: string) => plainRow(Buffer.from(json))?.columns ?? null

test.each([
  ['[]', 0],
  ['["a"]', 1],
  ['["","b"]', 2],
  ['[1,-2.5,true,false,"x \\" y \\\\","Grüße 📚"]', 6],
  ['["[a]","{b}","null",","]', 4],
  ['["London","no #N/A"]', 2],
  ['["\\""]', 1],
])('%s is passed on unchanged', (json, columns) => {
  expect(columnsOf(json)).toBe(columns)
})

test.each([
  ['a blank cell at the end', '["a",""]'],
  ['null', '["a",null,1]'],
  ['a spreadsheet error', '["#N/A","b"]'],
  ['a cell that is loading', '["Loading...","b"]'],
  ['an escaped character', '["a\\u0000b"]'],
  ['a slash behind a backslash', '["a\\/b"]'],
  ['an exponent', '[1e5]'],
  ['an exponent behind a point', '[-2.5E-7,"b"]'],
  ['a word with a number', '[true1]'],
  ['white space', '[1, 2]'],
  ['a list in a cell', '[[1],2]'],
  ['an object in a cell', '[{"a":1},2]'],
  ['a missing cell', '["a",,"b"]'],
  ['a text that does not end', '["a]'],
  ['a backslash at the end', '["a\\]'],
  ['two cells without a comma', '["a""b"]'],
  ['no row', '{"a":1}'],
  ['nothing', ''],
])('a row with %s is parsed', (_name, json) => {
  expect(columnsOf(json)).toBe(null)
})

test('a row that is not valid UTF-8 is parsed', () => {
  expect(plainRow(Buffer.from('["caf\xe9"]', 'latin1'))).toBe(null)
})

test('a row that is passed on equals its parsed form and has nothing to report', () => {
  const cell = fc.oneof(
    fc.string({
      unit: fc.constantFrom('a', 'é', '📚', '"', '\\', '\0', '\n', '\ud800', '#', ',', '['),
      maxLength: 4,
    }),
    fc.constantFrom(
      '',
      '#N/A',
      '#1',
      'Loading…',
      'Load',
      '"',
      '\\',
      '\0',
      '\ud800',
      null,
      true,
      0,
      -0.5,
      1e21,
    ),
  )
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 5 }), (cells) => {
      const json = JSON.stringify(cells)
      const plain = plainRow(Buffer.from(json))
      const notes = new CellNotes()
      const row = parseRow(json)
      const kept = notes.take(row, 1)
      const isPlain =
        kept === row && notes.errors.count + notes.loading.count === 0 && storedText(row, json) === json
      const filled = row.filter((value) => value !== null).length
      if (plain) expect([isPlain, plain]).toEqual([true, { columns: row.length, filled }])
    }),
    { numRuns: 500 },
  )
})
