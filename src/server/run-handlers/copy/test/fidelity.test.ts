import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import type { Ended } from '../../../../../test/fixtures/copy-settings.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const worlds = copyWorlds()

type Value = string | number | boolean
type Case = readonly [what: string, value: Value, format?: { type: string; pattern: string }]

const number = (pattern: string) => ({ type: 'NUMBER', pattern })
const date = (pattern: string) => ({ type: 'DATE', pattern })
const time = (pattern: string) => ({ type: 'TIME', pattern })

// Each value is written unchanged, in its own column below a header.
const cases: readonly Case[] = [
  // Numbers
  ['zero', 0],
  ['one', 1],
  ['a negative number', -17],
  ['a decimal fraction', 0.1],
  ['a sum that is not exact', 0.1 + 0.2],
  ['a third', 1 / 3],
  ['a very small number', 1e-7],
  ['a smaller number', 2.5e-15],
  ['the smallest normal number', 2.2250738585072014e-308],
  ['a very large number', 1e21],
  ['a huge number', 1.7976931348623157e308],
  ['2^53', 9007199254740992],
  ['2^53 - 1', 9007199254740991],
  ['-2^53', -9007199254740992],
  ['pi', Math.PI],
  ['fifteen digits', 123456789012345],
  ['seventeen digits', 0.12345678901234568],
  ['thousands with separators', 1234567.891, number('#,##0.00')],
  ['a number with leading zeros by its format', 7, number('000')],
  ['a scientific format', 602214076e15, { type: 'SCIENTIFIC', pattern: '0.00E+00' }],
  ['a fraction by its format', 0.5, number('# ?/?')],
  ['an article number by its format', 4006381333931, number('0000000000000')],
  ['a number shown as text', 5, { type: 'TEXT', pattern: '@' }],
  // Currency and percentages
  ['euros', 1234.5, { type: 'CURRENCY', pattern: '[$€]#,##0.00' }],
  ['crowns behind the number', 97, { type: 'CURRENCY', pattern: '#,##0.00[$ kr]' }],
  [
    'accounting',
    -1234.5,
    { type: 'CURRENCY', pattern: '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)' },
  ],
  ['a percentage', 0.501, { type: 'PERCENT', pattern: '0.00%' }],
  ['a whole percentage', 1, { type: 'PERCENT', pattern: '0%' }],
  // Dates, times, durations: serial numbers with a format
  ['a date', 43831, date('yyyy-mm-dd')],
  ['a German date', 45657, date('dd.mm.yyyy')],
  ['a date before 1900', -5000, date('yyyy-mm-dd')],
  ['the first day of Lotus', 1, date('yyyy-mm-dd')],
  ['a leap day', 43890, date('d mmm yyyy')],
  ['a time of day', 0.75, time('hh:mm')],
  ['a time with seconds', 0.5000115740740741, time('hh:mm:ss')],
  ['a date with a time', 43831.999988426, { type: 'DATE_TIME', pattern: 'yyyy-mm-dd hh:mm:ss' }],
  ['a duration past a day', 23, { type: 'TIME', pattern: '[h]:mm:ss' }],
  ['a duration of minutes', 0.0416666666666667, { type: 'TIME', pattern: '[mm]:ss' }],
  ['a negative duration', -0.5, { type: 'TIME', pattern: '[h]:mm' }],
  // Booleans
  ['true', true],
  ['false', false],
  // Text that looks like something else
  ['a number with leading zeros', '007'],
  ['digits as text', '12345'],
  ['a fraction as text', '1/2'],
  ['TRUE as text', 'TRUE'],
  ['false as text', 'false'],
  ['minus zero as text', '-0'],
  ['a scientific number as text', '1E5'],
  ['an identifier like 1e5', '1e5'],
  ['a long identifier', '00340123456789012345'],
  ['a percentage as text', '50%'],
  ['a price as text', '$1,234.50'],
  ['a date as text', '2020-01-01'],
  ['a month as text', 'MAR1'],
  ['a time as text', '12:30'],
  ['a phone number', '+49 30 123456'],
  ['a formula as text', '=1+1'],
  ['a formula with a range as text', '=SUM(A1:A3)'],
  ['a formula that would fetch something', '=IMPORTXML("http://example.com","//a")'],
  ['a plus sign first', '+1'],
  ['a minus sign first', '-x'],
  ['an at sign first', '@mention'],
  ['an apostrophe first', "'quoted"],
  ['two apostrophes first', "''x"],
  ['an apostrophe and an equals sign', "'=1"],
  ['an apostrophe alone', "'"],
  ['null as text', 'null'],
  ['undefined as text', 'undefined'],
  ['NaN as text', 'NaN'],
  ['JSON as text', '{"a":[1,"\\u0041"]}'],
  ['a comma and quotes', 'a,"b",c'],
  ['a semicolon', 'a;b'],
  ['backslashes', 'C:\\temp\\new\\\\share'],
  ['a backslash at the end', 'x\\'],
  ['COPY’s end marker', '\\.'],
  ['COPY’s null', '\\N'],
  // Blanks and line breaks
  ['a leading blank', ' x'],
  ['trailing blanks', 'x  '],
  ['a blank alone', ' '],
  ['a tab inside', 'a\tb'],
  ['a tab first', '\tx'],
  ['a no-break space', '\u00a0x\u00a0'],
  ['a line break', 'one\ntwo'],
  ['a line break at the end', 'one\n'],
  ['a carriage return and line break', 'one\r\ntwo'],
  ['a carriage return alone', 'one\rtwo'],
  ['a line separator', 'one\u2028two\u2029three'],
  // Unicode
  ['umlauts', 'Größe ÄÖÜ ß'],
  ['a combining accent', 'e\u0301'],
  ['the same accent composed', '\u00e9'],
  ['Cyrillic', 'Привет'],
  ['Chinese', '漢字'],
  ['Arabic, right to left', 'مرحبا'],
  ['Hebrew with a mark of direction', '\u200fשלום'],
  ['an emoji', '📚'],
  ['an emoji of several characters', '👩‍👩‍👧‍👦'],
  ['a flag', '🇩🇪'],
  ['the supplementary ideographic plane', '\u{20000}'],
  ['plane 14', 'x\u{E0101}'],
  ['the private use planes', '\u{F0000}\u{10FFFD}'],
  ['a zero-width space', 'a\u200bb'],
  ['a byte order mark inside', 'a\ufeffb'],
  ['the replacement character', '\ufffd'],
  ['control characters', 'a\u0001b\u001fc\u007f'],
  ['HTML', '<img src=x onerror=alert(1)>&amp;'],
  // Length
  ['50,000 characters', 'x'.repeat(50_000)],
  ['50,000 characters of two units', '📚'.repeat(25_000)],
  ['a thousand lines', 'line\n'.repeat(1_000)],
]

describe.each(
  worlds.flatMap(([provider, world]) => [
    { provider, world, how: 'a small commit', times: 1 },
    { provider, world, how: 'a staged commit', times: 3 },
  ]),
)('over $provider, by $how', ({ world, times }) => {
  const fitting = cases.filter(([, value]) => String(value).length <= world.cell_characters)
  let source = ''
  let target = ''
  let run: Ended | undefined
  let arrived: unknown[][] = []
  let formats: unknown[] = []

  beforeAll(async () => {
    // Filler rows make the table too large for a small commit.
    const filler = Array.from({ length: times === 1 ? 0 : 700 }, (_, row) =>
      fitting.map((_, column) => `${row}/${column}`),
    )
    const rows = [fitting.map(([what]) => what), fitting.map(([, value]) => value), ...filler]
    source = await world.spreadsheet({ Products: rows })
    target = await world.spreadsheet({ Shop: [] })
    await world.setFormats(
      source,
      fitting.map(([, , format]) => format),
    )
    const task = await world.task({
      source_ss_id: source,
      target_ss_id: target,
    })
    // Report values that arrive changed by name, all at once.
    await world.setRetries(task, 0)
    run = await world.run(task)
    arrived = await world.values(target, 'Shop')
    formats = await world.entered(target, 'Shop')
  })

  test('the run ends in Success, and its log says how it wrote', () => {
    expect(fitting.length).toBeGreaterThanOrEqual(80)
    expect(run?.log.filter((line) => !line.startsWith('INFO') && !line.startsWith('SUCCESS'))).toEqual([])
    expect(run).toMatchObject({ state: 'success', receipt: { mode: times === 1 ? 'small' : 'staged' } })
  })

  test.each(fitting.map(([what, value, format], column) => ({ what, value, format, column })))(
    '$what arrives as it is',
    ({ value, format, column }) => {
      expect(arrived[1]?.[column]).toBe(value)
      const kind = { string: 'stringValue', number: 'numberValue', boolean: 'boolValue' }[
        typeof value as 'string'
      ]
      expect(formats[column]).toMatchObject({
        userEnteredValue: { [kind]: value },
        ...(format && { userEnteredFormat: { numberFormat: format } }),
      })
    },
  )
})

describe('what does not arrive as it was written is reported:', () => {
  // Too few cells per request for the commit's response to contain the table, so it is read back.
  const reading = copyWorld({ cellsPerRead: 2 })
  afterEach(() => reading.faults())

  /** A copy whose target returns its former rows on every read. */
  async function unshaken(held: string[][]) {
    const { target, task } = await reading.pair([['SKU'], ['a'], ['b']], held)
    await reading.setRetries(task, 0)
    await reading.faults({
      kind: 'stale-reads',
      match: { spreadsheet_id: target, method: 'spreadsheets.values.get' },
    })
    return reading.run(task)
  }

  test('cells with another value than was written are a Warning that names them', async () => {
    const run = await unshaken([['SKU'], ['A'], ['b']])
    expect(run.state).toBe('warning')
    expect(run.log).toContain(
      'WARNING ‘Shop’ in ‘Web shop’ does not hold what was written: 1 cell (A2). Writing again.',
    )
    expect(run.log).toContain('WARNING Google stores other values than were written in 1 cell (A2).')
    expect(run.receipt?.target_hash).not.toBe(run.receipt?.source_hash)
  })

  test('cells that are missing are a failure', async () => {
    const run = await unshaken([['SKU'], ['a']])
    expect(run.state).toBe('failed')
    expect(run.message).toContain('‘Shop’ in ‘Web shop’ does not hold what was written: 1 cell (A3).')
  })
})
