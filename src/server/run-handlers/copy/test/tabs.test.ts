import { describe, expect, test } from 'vitest'
import { shortBackoff } from '../../../../../test/fixtures/copy-settings.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const world = copyWorld({ backoff: shortBackoff })
const products = [
  ['SKU', 'Price'],
  ['A', 1],
]

async function task(source: string, target: string, names = { source: 'Products', target: 'Shop' }) {
  return world.task({
    source_ss_id: source,
    source_sheet_name: names.source,
    target_ss_id: target,
    target_sheet_name: names.target,
  })
}

const stored = (task_id: number) =>
  world.db.selectFrom('sync_tasks').selectAll().where('task_id', '=', task_id).executeTakeFirstOrThrow()

test('a target tab that does not exist is created', async () => {
  const source = await world.spreadsheet({ Products: products })
  const target = await world.spreadsheet({ Other: [['x']] })
  const id = await task(source, target, { source: 'Products', target: "New ‘tab’ with 'quotes'!" })
  expect((await world.run(id)).state).toBe('success')
  expect(await world.tabs(target)).toEqual(['Other', "New ‘tab’ with 'quotes'!"])
  expect(await world.values(target, "'New ‘tab’ with ''quotes''!'")).toEqual(products)
  expect((await world.run(id)).requests.write).toBe(0)
})

test('tabs are bound by id once known, so a renamed one is followed, with a warning', async () => {
  const source = await world.spreadsheet({ Products: products }, 'Catalogue')
  const target = await world.spreadsheet({ Shop: [] }, 'Web shop')
  const id = await task(source, target)
  await world.run(id)
  const rename = (title: string) => ({
    updateSheetProperties: { properties: { sheetId: 100, title }, fields: 'title' },
  })
  await world.batch(source, rename('Items'))
  await world.batch(target, rename('Store'))
  await world.write(source, 'Items!B2', [[2]])
  const run = await world.run(id)
  expect(run.state).toBe('warning')
  expect(run.log).toContain(
    'WARNING The tab ‘Products’ in ‘Catalogue’ is called ‘Items’ now. It was followed.',
  )
  expect(run.log).toContain('WARNING The tab ‘Shop’ in ‘Web shop’ is called ‘Store’ now. It was followed.')
  expect(await world.values(target, 'Store')).toEqual([
    ['SKU', 'Price'],
    ['A', 2],
  ])
  expect(await stored(id)).toMatchObject({ source_sheet_name: 'Items', target_sheet_name: 'Store' })
  expect((await world.run(id)).state).toBe('success')
})

test('a target tab that was deleted is created again, with its formats, and a warning', async () => {
  const source = await world.spreadsheet({ Products: products }, 'Catalogue')
  const target = await world.spreadsheet({ Shop: [], Other: [] }, 'Web shop')
  const id = await task(source, target)
  await world.run(id)
  await world.batch(target, { deleteSheet: { sheetId: 100 } })
  const run = await world.run(id)
  expect(run.state).toBe('warning')
  expect(run.log).toContain('WARNING The tab ‘Shop’ in ‘Web shop’ is gone. It is created again.')
  expect(await world.values(target, 'Shop')).toEqual(products)
})

test('a blank source tab means the first one', async () => {
  const source = await world.spreadsheet({ First: products, Second: [['x']] })
  const target = await world.spreadsheet({ Shop: [] })
  const id = await task(source, target, { source: '', target: 'Shop' })
  expect((await world.run(id)).state).toBe('success')
  expect(await world.values(target, 'Shop')).toEqual(products)
  expect((await stored(id)).source_sheet_name).toBe('')
})

test('a missing source tab fails the run immediately and is named in the error', async () => {
  const source = await world.spreadsheet({ Products: products }, 'Catalogue')
  const target = await world.spreadsheet({ Shop: [['old']] })
  const run = await world.run(await task(source, target, { source: 'Produkte', target: 'Shop' }))
  expect(run.state).toBe('failed')
  expect(run.message).toContain('‘Catalogue’ does not have a tab called ‘Produkte’.')
  expect(run.log.filter((line) => line.includes('Attempt'))).toEqual([])
  expect(await world.values(target, 'Shop')).toEqual([['old']])
})

test('a missing spreadsheet fails the run immediately', async () => {
  const target = await world.spreadsheet({ Shop: [] })
  const run = await world.run(await task('there-is-no-such-spreadsheet', target))
  expect(run).toMatchObject({ state: 'failed' })
  expect(run.message).toContain(
    'There is no spreadsheet with the id there-is-no-such-spreadsheet, or it is not shared with ada@example.com: check the id, ask its owner to share it, or choose another account.',
  )
})

test('a tab is not copied onto itself', async () => {
  const book = await world.spreadsheet({ Products: products })
  const run = await world.run(await task(book, book, { source: '', target: 'Products' }))
  expect(run).toMatchObject({ state: 'failed' })
  expect(run.message).toContain('cannot be copied onto itself')
})

test('source and target may be tabs of one spreadsheet', async () => {
  const book = await world.spreadsheet({ Products: products, Shop: [] })
  expect((await world.run(await task(book, book))).state).toBe('success')
  expect(await world.values(book, 'Shop')).toEqual(products)
})

describe('one tab takes the rows of one task', () => {
  test('also when it was renamed to the name in another task: that task fails, and names the first', async () => {
    const source = await world.spreadsheet({ Products: products, Prices: [['x'], ['y']] }, 'Catalogue')
    const target = await world.spreadsheet({ Shop: [] }, 'Web shop')
    const first = await task(source, target)
    await world.run(first)
    const properties = { sheetId: 100, title: 'Store' }
    await world.batch(target, { updateSheetProperties: { properties, fields: 'title' } })
    const second = await task(source, target, { source: 'Prices', target: 'Store' })
    const run = await world.run(second)
    expect(run).toMatchObject({ state: 'failed', requests: { write: 0 } })
    const { name, target_sheet_name } = await world.db
      .selectFrom('tasks')
      .innerJoin('sync_tasks', 'task_id', 'tasks.id')
      .select(['name', 'target_sheet_name'])
      .where('tasks.id', '=', first)
      .executeTakeFirstOrThrow()
    expect(run.message).toContain(
      `The tab ‘Store’ in ‘Web shop’ is the target of the task ‘${name} (${target_sheet_name})’.`,
    )
    expect(run.log.filter((line) => line.includes('Attempt'))).toEqual([])
    expect(await world.values(target, 'Store')).toEqual(products)
    expect((await stored(second)).target_sheet_id).toBeNull()
  })

  test('which is bound to it before the first write, a new tab included', async () => {
    const source = await world.spreadsheet({ Products: products })
    const target = await world.spreadsheet({ Shop: [] })
    await world.faults({ kind: '503', match: { kind: 'write' } })
    for (const name of ['Shop', 'Fresh']) {
      const id = await task(source, target, { source: 'Products', target: name })
      await world.setRetries(id, 0)
      expect((await world.run(id)).state).toBe('failed')
      expect((await stored(id)).target_sheet_id).not.toBeNull()
    }
    await world.faults()
    // Cleanup succeeds for a tab that was never created.
    const fresh = await world.db
      .selectFrom('sync_tasks')
      .select('task_id')
      .where('target_ss_id', '=', target)
      .where('target_sheet_name', '=', 'Fresh')
      .executeTakeFirstOrThrow()
    expect(await world.run(fresh.task_id)).toMatchObject({ state: 'success' })
    expect(await world.values(target, 'Fresh')).toEqual(products)
  })
})
