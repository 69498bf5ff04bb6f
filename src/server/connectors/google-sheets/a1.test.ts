import { describe, expect, it } from 'vitest'
import { a1Range, cellAddress, columnLetters } from './a1.ts'

describe('A1 notation', () => {
  it.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [701, 'ZZ'],
    [702, 'AAA'],
    [18_277, 'ZZZ'],
  ])('names column %i %s', (index, letters) => {
    expect(columnLetters(index)).toBe(letters)
  })

  it('names a cell as people do', () => {
    expect(cellAddress(6, 1)).toBe('B7')
  })

  it.each([
    ['Products', "'Products'!A1:C10"],
    ['CRM26', "'CRM26'!A1:C10"],
    ["A'!B1", "'A''!B1'!A1:C10"],
    ["''", "''''''!A1:C10"],
    ['Bücher 📚', "'Bücher 📚'!A1:C10"],
  ])('quotes the title %s', (title, range) => {
    expect(a1Range(title, { startRow: 0, endRow: 10, startColumn: 0, endColumn: 3 })).toBe(range)
  })

  it('omits a blank title, which means the first visible tab', () => {
    expect(a1Range('', { startRow: 0, startColumn: 0, endColumn: 3 })).toBe('A1:C')
  })

  it('omits the end of an area that reaches to the bottom', () => {
    expect(a1Range('S', { startRow: 4, startColumn: 1, endColumn: 2 })).toBe("'S'!B5:B")
  })
})
