import { beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp } from '../../test/fixtures/app.ts'
import { copyWorld } from '../../test/fixtures/copy-world.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'

const world = copyWorld()
let env: { ROWFERRY_URL: string; ROWFERRY_TOKEN: string }
beforeAll(async () => {
  const { app, signIn } = await testApp({ database: world.database, handlers: world.handlers })
  const ROWFERRY_TOKEN = await aToken(await signIn(), 'read')
  env = { ROWFERRY_URL: await app.listen({ host: '127.0.0.1', port: 0 }), ROWFERRY_TOKEN }
})
beforeEach(() => world.faults())

const linkTo = (spreadsheet: string, gid: number, range: string) =>
  `https://docs.google.com/spreadsheets/d/${spreadsheet}/edit#gid=${gid}&range=${range}`

test('a cell of a target is shown as text with the value before; one of a source with the cells in which it ends up', async () => {
  const { source, target, task } = await world.pair([
    ['SKU', 'From', 'Stock'],
    ['A', 46_353, 1],
    ['B', 46_354, 2],
  ])
  const { data } = await world.api.spreadsheets.get({ spreadsheetId: source })
  const gid = data.sheets?.[0]?.properties?.sheetId ?? 0
  const column = { sheetId: gid, startRowIndex: 1, startColumnIndex: 1, endColumnIndex: 2 }
  const numberFormat = { type: 'DATE', pattern: 'd mmm yyyy' }
  await world.batch(source, {
    repeatCell: {
      range: column,
      cell: { userEnteredFormat: { numberFormat } },
      fields: 'userEnteredFormat.numberFormat',
    },
  })
  const { id: first } = await world.run(task)
  await world.write(source, 'Products!B2', [[46_355]])
  const { id: second } = await world.run(task)
  const { run } = await commandLine()
  const shell = async (link: string) => (await run(['where', link], { env })).out
  const written = await shell(linkTo(target, 100, 'B2'))
  expect(written).toContain('It holds: 2026-11-29\n')
  expect(written).toMatch(new RegExp(`Since run ${second}, .*\\. It replaced 2026-11-27\\.\n`))
  expect(await shell(linkTo(target, 100, 'C2'))).toMatch(
    new RegExp(`It holds: 1\nSince run ${first}, .*\\. The cell was blank before\\.`),
  )
  // A task that names no tab copies the first one.
  await world.db
    .updateTable('sync_tasks')
    .set({ source_sheet_name: '' })
    .where('task_id', '=', task)
    .execute()
  await world.run(task)
  expect(await shell(linkTo(target, 100, 'C2'))).toMatch(/C2 of the first tab in ‘.*’\n/)
  const used = await shell(linkTo(source, gid, 'B2'))
  expect(used).toMatch(/Where it ends up:\n {2}B2 of ‘Shop’ in .*\(.*\)\n/)
  expect(await shell(linkTo(source, gid, 'H9'))).toMatch(/Where it ends up:\nNowhere/)
})
