import { describe, expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { runOf } from '../../../../../test/fixtures/engine.ts'
import { aConfig } from '../../../../../test/fixtures/factories.ts'
import {
  DATE,
  DATES,
  DOLLAR,
  EURO,
  formatsOf,
  type Mix,
  mixed,
  PERCENT,
  setFormats,
  withHeader,
} from '../../../../../test/fixtures/mixed-formats.ts'
import type { NumberFormat } from '../../../../contract/tables.ts'

const world = copyWorld()

const CASES: (Mix & { title: string })[] = [
  {
    title: 'values of all kinds beside their names',
    rows: [
      ['Since', 45_000],
      ['Boxes', 5],
      ['Margin', 0.12],
      ['Price', 3],
    ],
    formats: [DATE, null, PERCENT, EURO],
  },
  {
    title: 'a 5 among dates',
    rows: [
      ['A', 45_000],
      ['B', 5],
      ['C', 45_002],
    ],
    formats: [DATE, null, DATE],
  },
  {
    title: 'two currencies, and a text without a format',
    rows: [
      ['A', 1],
      ['B', 2],
      ['C', 'on request'],
      ['D', 4],
      ['E', 5],
    ],
    formats: [EURO, DOLLAR, null, EURO, EURO],
  },
]

describe.each(CASES)('$title', (mix) => {
  test('are copied in one commit, and a second copy writes nothing', async () => {
    const { target, task, shown } = await mixed(world, mix)
    const run = await world.run(task)
    expect(run.log.filter((line) => line.startsWith('WARNING'))).toEqual([])
    expect(run.state).toBe('success')
    expect(await formatsOf(world, target, shown, mix.rows.length)).toEqual(mix.formats)
    expect(await world.values(target, 'Shop')).toEqual(withHeader(mix.rows))
    expect(run.requests.write).toBe(2)
    expect((await world.run(task)).receipt).toMatchObject({ mode: 'unchanged', writes: 0 })
  })

  test('are copied below rows of another editor', async () => {
    const { target, task, shown } = await mixed(world, mix, [['Stock list'], []])
    expect((await world.run(task)).state).toBe('success')
    expect(await formatsOf(world, target, shown, mix.rows.length)).toEqual(mix.formats)
  })

  test('are copied where the preset skips a column before them', async () => {
    const rows = mix.rows.map(([name = null, value = null]): Cell[] => [name, 'x', value])
    const source = await world.spreadsheet({ Products: [['Name', 'Internal', 'Value'], ...rows] })
    await setFormats(
      world,
      source,
      mix.formats.map((format, n) => [n + 1, 2, format]),
    )
    const preset = await world.db
      .insertInto('sync_presets')
      .values({ name: mix.title, excluded_fields: ['Internal'] })
      .returning('id')
      .executeTakeFirstOrThrow()
    const target = await world.spreadsheet({ Shop: [] })
    const task = await world.task({
      source_ss_id: source,
      target_ss_id: target,
      sync_preset_id: preset.id,
    })
    expect((await world.run(task)).state).toBe('success')
    expect(await formatsOf(world, target, `Shop!B2:B${rows.length + 1}`, rows.length)).toEqual(mix.formats)
  })

  test('are copied from an ingested and compiled source', async () => {
    const rows = mix.rows.map(([name = null, value = null]): Cell[] => [name, value])
    const sheet = await world.spreadsheet({ Products: [['SKU', 'Value'], ...rows] })
    await setFormats(
      world,
      sheet,
      mix.formats.map((format, n) => [n + 1, 1, format]),
    )
    const source = await world.sourceTask({ source_type: 'sheet', spreadsheet_id: sheet })
    expect(await world.ingest(source)).toMatchObject({ state: 'success', warnings: [] })
    const config = await aConfig(world.db)
    await world.db
      .insertInto('compiler_sources')
      .values({ compiler_config_id: config.id, source_task_id: source, position: 0, is_master: true })
      .execute()
    await world.start(config.task_id)
    expect((await runOf(world.db, config.task_id)).state).toBe('success')
    const target = await world.spreadsheet({ Shop: [] })
    const task = await world.task({
      source_type: 'internal',
      source_ss_id: '',
      source_sheet_name: '',
      source_compiler_config_id: config.id,
      target_ss_id: target,
    })
    expect((await world.run(task)).state).toBe('success')
    // A record keeps the formats of its numbers; text has no format.
    const numbers = mix.rows.flatMap(([, value], n) => (typeof value === 'number' ? n : []))
    const found = await formatsOf(world, target, `Shop!B2:B${rows.length + 1}`, rows.length)
    expect(numbers.map((n) => found[n])).toEqual(numbers.map((n) => mix.formats[n]))
    expect((await world.run(task)).receipt).toMatchObject({ mode: 'unchanged', writes: 0 })
  })
})

test('formats that change between runs are set, and those of no other cell', async () => {
  const { source, target, task, shown } = await mixed(world, DATES)
  await world.run(task)
  // A format set by the user in a row whose source format does not change.
  await setFormats(world, target, [[1, 1, EURO]])
  await setFormats(world, source, [
    [3, 1, DATE],
    [5, 1, null],
  ])
  const run = await world.run(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'small', cells_changed: 0 } })
  expect(await formatsOf(world, target, shown, 8)).toEqual([
    EURO,
    DATE,
    DATE,
    DATE,
    null,
    DATE,
    PERCENT,
    DATE,
  ])
})

test('the formats of a column that becomes mixed, and uniform again, are set', async () => {
  const { source, target, task, shown } = await mixed(world, {
    ...DATES,
    formats: DATES.rows.map(() => DATE),
  })
  await world.run(task)
  await setFormats(world, source, [[4, 1, null]])
  await world.run(task)
  expect((await formatsOf(world, target, shown, 8))[3]).toBe(null)
  await setFormats(world, source, [[4, 1, DATE]])
  await world.run(task)
  expect(await formatsOf(world, target, shown, 8)).toEqual(DATES.rows.map(() => DATE))
})

test('rows that another editor sorted have the formats of their values again', async () => {
  const { target, task, shown } = await mixed(world, DATES)
  await world.run(task)
  const range = { sheetId: 100, startRowIndex: 1, endRowIndex: 9, startColumnIndex: 0, endColumnIndex: 2 }
  await world.batch(target, {
    sortRange: { range, sortSpecs: [{ dimensionIndex: 1, sortOrder: 'DESCENDING' }] },
  })
  expect(await formatsOf(world, target, shown, 8)).not.toEqual(DATES.formats)
  expect((await world.run(task)).state).toBe('success')
  expect(await formatsOf(world, target, shown, 8)).toEqual(DATES.formats)
})

const LARGE = 100_000
const table = (): Cell[][] => [
  ['SKU', 'Since'],
  ...Array.from({ length: LARGE }, (_, n): Cell[] => [`SKU-${n}`, 40_000 + (n % 5_000)]),
]

/** A table of 100,000 rows of dates, except for three cells. */
async function large(plain: number[]) {
  const source = await world.spreadsheet({ Products: table() })
  const range = { sheetId: 100, startRowIndex: 1, startColumnIndex: 1, endColumnIndex: 2 }
  const fields = 'userEnteredFormat.numberFormat'
  await world.batch(source, {
    repeatCell: { range, cell: { userEnteredFormat: { numberFormat: DATE } }, fields },
  })
  await setFormats(
    world,
    source,
    plain.map((row) => [row, 1, null]),
  )
  const target = await world.spreadsheet({ Shop: [] })
  return { target, task: await world.task({ source_ss_id: source, target_ss_id: target }) }
}

test('of 100,000 rows with three mixed cells, one of them in the sample, each keeps its own format; the receipt names the sample', async () => {
  // The sample includes the first row.
  const { target, task } = await large([1, 777, 99_998])
  const run = await world.run(task)
  expect(run).toMatchObject({ state: 'success', receipt: { rows: LARGE, mode: 'staged' } })
  expect(run.receipt?.format_sample_rows).toBeGreaterThan(50)
  expect(run.log).toContain('INFO Cells in Since have different number formats: each keeps its own.')
  const at = async (row: number) => (await formatsOf(world, target, `Shop!B${row + 1}:B${row + 1}`, 1))[0]
  expect(await Promise.all([1, 2, 776, 777, 778, 99_998, LARGE].map(at))).toEqual([
    ...[null, DATE, DATE, null, DATE, null, DATE],
  ])
  expect((await world.run(task)).receipt).toMatchObject({ mode: 'unchanged', writes: 0 })
})

test('mixed cells outside the sample get the format of the others, and the log names the sample', async () => {
  const { target, task } = await large([3, 777, 99_998])
  const run = await world.run(task)
  expect(run.state).toBe('success')
  expect(run.log).toContainEqual(
    expect.stringMatching(/^INFO Number formats were judged by a sample of \d+ rows/),
  )
  expect(await formatsOf(world, target, 'Shop!B2:B5', 4)).toEqual([DATE, DATE, DATE, DATE])
})

test('formats that change in more rows than are kept are a Warning that names the column', async () => {
  const rows = Array.from({ length: 10_400 }, (_, n): Cell[] => [`SKU-${n}`, n])
  const source = await world.spreadsheet({ Products: [['SKU', 'Amount'], ...rows] })
  const range = { sheetId: 100, startRowIndex: 1, startColumnIndex: 1, endColumnIndex: 2 }
  const format = (numberFormat: NumberFormat) => ({ userEnteredFormat: { numberFormat } })
  await world.batch(source, {
    updateCells: {
      range,
      rows: rows.map((_, n) => ({ values: [format(n % 2 === 0 ? EURO : DOLLAR)] })),
      fields: 'userEnteredFormat.numberFormat',
    },
  })
  const target = await world.spreadsheet({ Shop: [] })
  const run = await world.run(await world.task({ source_ss_id: source, target_ss_id: target }))
  expect(run.state).toBe('warning')
  expect(run.log).toContain(
    'WARNING The number formats in Amount change too often (a table keeps 10,000 changes): all cells get the most frequent format.',
  )
  expect(await formatsOf(world, target, 'Shop!B2:B4', 3)).toEqual([EURO, EURO, EURO])
})
