/** A range of a table with zero-based, end-exclusive indexes. */
type Area = { tab: string; row: number; column: number; endRow: number; endColumn: number }

const columnOf = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** Parses a range such as Shop, Shop!B2, Shop!A1:C5 or Shop!A:L. */
export function areaOf(range: string): Area {
  const [tab = '', cells = ''] = range.replaceAll("'", '').split('!')
  const [, letters = '', digits = '', , endLetters, endDigits] =
    /^([A-Z]*)(\d*)(:([A-Z]+)(\d*))?$/.exec(cells) ?? []
  const row = digits === '' ? 0 : Number(digits) - 1
  const column = letters === '' ? 0 : columnOf(letters)
  const isCell = digits !== '' && endLetters === undefined
  return {
    tab,
    row,
    column,
    endRow: isCell ? row + 1 : endDigits ? Number(endDigits) : Number.POSITIVE_INFINITY,
    endColumn: isCell ? column + 1 : endLetters ? columnOf(endLetters) + 1 : Number.POSITIVE_INFINITY,
  }
}
