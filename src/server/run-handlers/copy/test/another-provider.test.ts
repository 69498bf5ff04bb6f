import { expect, test } from 'vitest'
import { openDirectory } from '../../../../../test/fakes/json-directory/world.ts'
import { aMerge, aSource } from '../../../../../test/fixtures/compiling.ts'
import { until } from '../../../../../test/fixtures/copy-world.ts'
import { runOf } from '../../../../../test/fixtures/engine.ts'

// The JSON file provider has its own limits, request log and messages.
const world = openDirectory({
  commit_bytes: 1_000,
  directory: { cell_characters: 100, step_ms: 20 },
})

const table = (rows: number, mark = '') =>
  Array.from({ length: rows }, (_, row) => [`${mark}${row}`, row, row % 2 === 0])

test('a provider’s own limit of text per cell applies, and the message names the provider', async () => {
  const { target, task } = await world.pair([['SKU'], ['x'.repeat(100)], ['y'.repeat(101)]], [['old']])
  const run = await world.run(task)
  expect(run).toMatchObject({ state: 'failed', requests: { write: 0 } })
  expect(run.message).toContain('1 cell (A3) with more than 100 characters of text, the limit of Tabledir.')
  expect(await world.values(target, 'Shop')).toEqual([['old']])
})

test('a cell that is too long is named by its address in the source, with skipped columns and rows above counted', async () => {
  const preset = await world.db
    .insertInto('sync_presets')
    .values({ name: 'Without cost', excluded_fields: ['Cost'] })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = [['Stock list'], [], ['SKU', 'Cost', 'Note'], ['A', 1, 'short'], ['B', 2, 'y'.repeat(101)]]
  const { task } = await world.pair(rows, [], { start_row: 3, sync_preset_id: preset.id })
  expect((await world.run(task)).message).toBe(
    '‘Products’ in ‘Catalogue’ has 1 cell (C5) with more than 100 characters of text, the limit of Tabledir.',
  )
})

test('a compiled value that is too long is named by its field and row', async () => {
  const source = await aSource(
    world.db,
    ['SKU', 'Note'],
    [
      ['A', 'short'],
      ['B', 'y'.repeat(101)],
    ],
  )
  const config = await aMerge(world.db, [source])
  await world.start(config.task_id)
  expect((await runOf(world.db, config.task_id)).state).toBe('success')
  const { task } = await world.pair([], [], {
    ...{ source_type: 'internal', source_ss_id: '', source_sheet_name: '' },
    source_compiler_config_id: config.id,
  })
  expect((await world.run(task)).message).toMatch(
    / has 1 cell \(Note in row 3\) with more than 100 characters of text/,
  )
})

test('a worker that gets the run redelivered resumes from what the directory has stored', async () => {
  const { target, task } = await world.pair(table(2_000), [['old']], { chunk_size: 50 })
  await world.start(task)
  await until(() => world.stepsOf(target) > 4)
  await world.changeEngine()
  const run = await world.ended(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged', rows: 1_999 } })
  expect(await world.values(target, 'Shop')).toEqual(table(2_000))
  expect(await world.tabs(target)).toEqual(['Shop'])
  expect(run.log.filter((line) => line.includes('INFO Read '))).toHaveLength(1)
  // The whole table takes 40 requests: rows that were already there were not written again.
  expect(world.stepsOf(target)).toBeLessThanOrEqual(41)
})

test('a file that another editor changes while the new table is staged is read again', async () => {
  const { target, task } = await world.pair(table(1_000), [['old', 'old', 'old', 'Mine']], { chunk_size: 50 })
  await world.start(task)
  await until(() => world.stepsOf(target) > 2)
  await world.write(target, 'Shop!D2', [['hers']])
  const run = await world.ended(task)
  expect(run.state).toBe('success')
  expect(run.log).toContain(
    'INFO ‘Shop’ in ‘Web shop’ was edited while it was copied. Opening the spreadsheets again.',
  )
  const [header, second] = await world.values(target, 'Shop')
  expect([header?.[3], second?.[3]]).toEqual(['Mine', 'hers'])
})

test('what a stopped run created beside the file is removed', async () => {
  const { target, task } = await world.pair(table(2_000), [['old']], { chunk_size: 50 })
  await world.start(task)
  await until(async () => (await world.tabs(target)).length > 1)
  await world.stop(task)
  expect((await world.ended(task)).state).toBe('stopped')
  expect(await world.values(target, 'Shop')).toEqual([['old']])
  expect(await world.tabs(target)).toEqual(['Shop'])
})
