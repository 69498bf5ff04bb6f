import { expect, test } from 'vitest'
import { copyWorld } from '../../../test/fixtures/copy-world.ts'
import { runOf } from '../../../test/fixtures/engine.ts'
import { aConfig, aSpreadsheetId, aUser } from '../../../test/fixtures/factories.ts'
import { removeRecord } from '../features/compiler/commands/remove.ts'

const world = copyWorld()

type Cell = string | number | boolean

/** A source task that has ingested these rows of a sheet. */
async function fetched(rows: Cell[][]): Promise<{ spreadsheet_id: string; task: number }> {
  const spreadsheet_id = await world.spreadsheet({ Products: rows })
  const task = await world.sourceTask({ source_type: 'sheet', spreadsheet_id })
  expect((await world.ingest(task)).state).toBe('success')
  return { spreadsheet_id, task }
}

async function merging(source_ids: number[]) {
  const config = await aConfig(world.db)
  await world.db
    .insertInto('compiler_sources')
    .values(
      source_ids.map((source_task_id, position) => ({
        compiler_config_id: config.id,
        source_task_id,
        position,
        is_master: position === 0,
      })),
    )
    .execute()
  return config
}

async function compiled(task_id: number): Promise<void> {
  await world.start(task_id)
  expect((await runOf(world.db, task_id)).state).toBe('success')
}

const shopOf = (spreadsheet: string) => world.values(spreadsheet, 'Shop')

test('sheets are ingested, compiled and copied: the target has the merged records, and later only changes are written', async () => {
  const master = await fetched([
    ['Name', 'SKU', 'Price'],
    ['Pan', '007', ''],
    ['Lid', '8', 0],
  ])
  const prices = await fetched([
    ['SKU', 'Price', 'Currency'],
    ['007', 9.5, 'EUR'],
    ['9', 3, ''],
  ])
  const config = await merging([master.task, prices.task])
  await compiled(config.task_id)
  const target = await world.spreadsheet({ Shop: [['old'], ['older']] })
  const copy = await world.task({
    source_type: 'internal',
    source_ss_id: '',
    source_sheet_name: '',
    source_compiler_config_id: config.id,
    target_ss_id: target,
  })
  expect(await world.run(copy)).toMatchObject({ state: 'success' })
  expect(await shopOf(target)).toEqual([
    ['SKU', 'Name', 'Price', 'Currency'],
    ['007', 'Pan', 9.5, 'EUR'],
    ['8', 'Lid', 0],
    ['9', '', 3],
  ])
  const again = await world.run(copy)
  expect([again.state, again.receipt?.mode, again.requests.write]).toEqual(['success', 'unchanged', 0])

  await world.write(prices.spreadsheet_id, 'Products!B2', [[10]])
  await world.ingest(prices.task)
  await compiled(config.task_id)
  const changed = await world.run(copy)
  expect(changed.receipt).toMatchObject({ cells_changed: 1, mode: 'small' })
  expect((await shopOf(target))[1]).toEqual(['007', 'Pan', 10, 'EUR'])
})

test('Run pipeline copies the current sheets to the target even without dependencies of types; the compile names a sheet that cannot be read', async () => {
  const prices = await fetched([
    ['SKU', 'Price'],
    ['7', 9.5],
  ])
  const gone = await fetched([
    ['SKU', 'Stock'],
    ['7', 2],
  ])
  await world.db.updateTable('tasks').set({ name: 'Stock' }).where('id', '=', gone.task).execute()
  const config = await merging([prices.task, gone.task])
  const target = await world.spreadsheet({ Shop: [] })
  const copy = await world.task({
    source_type: 'internal',
    source_ss_id: '',
    source_sheet_name: '',
    source_compiler_config_id: config.id,
    target_ss_id: target,
  })
  await world.write(prices.spreadsheet_id, 'Products!B2', [[10]])
  await world.runPipeline()
  expect((await runOf(world.db, copy)).state).toBe('success')
  expect(await shopOf(target)).toEqual([
    ['SKU', 'Price', 'Stock'],
    ['7', 10, 2],
  ])

  await world.write(prices.spreadsheet_id, 'Products!B2', [[11]])
  await world.db
    .updateTable('source_tasks')
    .set({ spreadsheet_id: aSpreadsheetId() })
    .where('task_id', '=', gone.task)
    .execute()
  await world.runPipeline()
  const compile = await runOf(world.db, config.task_id)
  const message = 'Stock failed before this run, which used its last good rows.'
  expect(compile).toMatchObject({ state: 'warning', warnings: [{ message }] })
  expect((await runOf(world.db, copy)).state).toBe('success')
  expect((await shopOf(target))[1]).toEqual(['7', 11, 2])
})

const ISO = { type: 'DATE', pattern: 'yyyy-mm-dd' }
const US = { type: 'DATE', pattern: 'm/d/yyyy' }

/** Sets a format for the cells of a column, from row 2 on. */
const setFormat = (spreadsheet_id: string, column: number, numberFormat: object) =>
  world.batch(spreadsheet_id, {
    repeatCell: {
      range: {
        ...{ sheetId: 100, startRowIndex: 1, endRowIndex: 20 },
        ...{ startColumnIndex: column, endColumnIndex: column + 1 },
      },
      cell: { userEnteredFormat: { numberFormat } },
      fields: 'userEnteredFormat.numberFormat',
    },
  })

/** The number formats of a row. */
async function formatsOf(spreadsheetId: string, row = 2) {
  const { data } = await world.api.spreadsheets.get({
    spreadsheetId,
    ranges: [`A${row}:F${row}`],
    fields: 'sheets(data(rowData(values(userEnteredFormat(numberFormat)))))',
  })
  const cells = data.sheets?.[0]?.data?.[0]?.rowData?.[0]?.values ?? []
  return cells.map(({ userEnteredFormat }) => userEnteredFormat?.numberFormat ?? null)
}

test('dates of compiled records are dates in the target, in the format of their sources', async () => {
  const master = await fetched([
    ['SKU', 'Since', 'Until', 'Note'],
    ['A', 45_904, '', 'text'],
    ['B', '', '', 'text'],
    ['C', 'unknown', '', 'text'],
  ])
  const supplier = await fetched([
    ['SKU', 'Since', 'Until', 'Note'],
    ['A', 45_900, '', 1],
    ['B', 45_905, '', 1],
    ['C', 45_906, '', 1],
    ['D', 45_907, '', 'text'],
    ['E', 45_908, '', 'text'],
  ])
  await setFormat(master.spreadsheet_id, 1, ISO)
  await setFormat(master.spreadsheet_id, 3, ISO)
  await setFormat(supplier.spreadsheet_id, 1, US)
  for (const { task } of [master, supplier]) await world.ingest(task)
  const config = await merging([master.task, supplier.task])
  await compiled(config.task_id)
  const target = await world.spreadsheet({ Shop: [] })
  const copy = await world.task({
    source_type: 'internal',
    source_ss_id: '',
    source_sheet_name: '',
    source_compiler_config_id: config.id,
    target_ss_id: target,
  })
  expect(await world.run(copy)).toMatchObject({ state: 'success' })
  // B, D and E have their dates from the supplier, A from the master; texts and blanks do not count
  expect(await formatsOf(target)).toEqual([null, ISO, null, ISO])
  expect(await formatsOf(target, 3)).toEqual([null, US, null, ISO])
  expect(await formatsOf(target, 6)).toEqual([null, US, null, ISO])
  expect(await shopOf(target)).toEqual([
    ['SKU', 'Since', 'Until', 'Note'],
    ['A', 45_904, '', 'text'],
    ['B', 45_905, '', 'text'],
    ['C', 'unknown', '', 'text'],
    ['D', 45_907, '', 'text'],
    ['E', 45_908, '', 'text'],
  ])
  const again = await world.run(copy)
  expect([again.state, again.receipt?.mode, again.requests.write]).toEqual(['success', 'unchanged', 0])

  // a removed record does not count either, and those below it keep their own
  const ada = await aUser(world.db)
  for (const sku of ['A', 'C']) await removeRecord(world.db, ada, { sku, compiler_config_id: config.id })
  expect(await world.run(copy)).toMatchObject({ state: 'success' })
  expect((await shopOf(target)).map(([sku]) => sku)).toEqual(['SKU', 'B', 'D', 'E'])
  expect(await formatsOf(target)).toEqual([null, US, null, ISO])
})

test('a preset excludes fields of compiled records', async () => {
  const master = await fetched([
    ['SKU', 'Name', 'Cost'],
    ['1', 'Pan', 4],
  ])
  const config = await merging([master.task])
  await compiled(config.task_id)
  const target = await world.spreadsheet({ Shop: [] })
  const preset = await world.db
    .insertInto('sync_presets')
    .values({ name: 'Without costs', excluded_fields: ['Cost'] })
    .returning('id')
    .executeTakeFirstOrThrow()
  const copy = await world.task({
    source_type: 'internal',
    source_ss_id: '',
    source_sheet_name: '',
    source_compiler_config_id: config.id,
    sync_preset_id: preset.id,
    target_ss_id: target,
  })
  expect(await world.run(copy)).toMatchObject({ state: 'success' })
  expect(await shopOf(target)).toEqual([
    ['SKU', 'Name'],
    ['1', 'Pan'],
  ])
})

test('without compiled records nothing is written, with a message', async () => {
  const config = await aConfig(world.db, { name: 'Nothing yet' })
  const target = await world.spreadsheet({ Shop: [['kept']] })
  const copy = await world.task({
    source_type: 'internal',
    source_ss_id: '',
    source_sheet_name: '',
    source_compiler_config_id: config.id,
    target_ss_id: target,
  })
  expect(await world.run(copy)).toMatchObject({
    state: 'failed',
    message: '‘Nothing yet’ has no rows yet: run it first.',
  })
  expect(await shopOf(target)).toEqual([['kept']])
})
