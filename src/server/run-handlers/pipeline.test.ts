import { expect, test } from 'vitest'
import { copyWorld } from '../../../test/copy-world.ts'
import { runOf } from '../../../test/engine.ts'
import { aConfig } from '../../../test/factories.ts'

const world = copyWorld()

type Cell = string | number | boolean

/** A source task that has fetched these rows of a sheet. */
async function fetched(rows: Cell[][]): Promise<{ spreadsheet_id: string; task: number }> {
  const spreadsheet_id = await world.spreadsheet({ Products: rows })
  const task = await world.sourceTask({ source_type: 'sheet', spreadsheet_id })
  expect((await world.pull(task)).state).toBe('success')
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

test('sheets are fetched, compiled and copied: the target shows the merged records, and then only what has changed', async () => {
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
  await world.pull(prices.task)
  await compiled(config.task_id)
  const changed = await world.run(copy)
  expect(changed.receipt).toMatchObject({ cells_changed: 1, mode: 'small' })
  expect((await shopOf(target))[1]).toEqual(['007', 'Pan', 10, 'EUR'])
})

test('a preset leaves fields of compiled records out', async () => {
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

test('without compiled records nothing is written, and the run says so', async () => {
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
