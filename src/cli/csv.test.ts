import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/fixtures/app.ts'
import { aConfig, aSourceTask, aSyncTask } from '../../test/fixtures/factories.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'

let site: TestApp
let env: Record<string, string>
beforeAll(async () => {
  site = await testApp()
  const ada = await site.signIn()
  const ROWFERRY_URL = await site.app.listen({ host: '127.0.0.1', port: 0 })
  env = { ROWFERRY_URL, ROWFERRY_TOKEN: await aToken(ada, 'edit') }
})

const lines = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, '|'))

test('how a source task reads its CSV file is shown and changed', async () => {
  const { run } = await commandLine()
  const { id } = await aSourceTask(site.db, { name: 'Supplier' })
  expect(lines((await run(['csv', 'Supplier'], { env })).out)).toEqual([
    'SETTING|VALUE',
    'Delimiter of the CSV file that is read|detect',
    'Encoding of the CSV file that is read|detect',
    'Quote of the CSV file that is read|detect',
  ])
  await run(['csv', 'Supplier', '--delimiter', 'tab', '--encoding', 'windows-1252', '--quote', 'single'], {
    env,
  })
  const stored = () =>
    site.db
      .selectFrom('source_tasks')
      .select(['csv_delimiter', 'csv_encoding', 'csv_quote'])
      .where('task_id', '=', id)
      .executeTakeFirstOrThrow()
  expect(await stored()).toEqual({ csv_delimiter: '\t', csv_encoding: 'windows-1252', csv_quote: "'" })
  await run(['csv', 'Supplier', '--delimiter', 'detect'], { env })
  expect(await stored()).toEqual({ csv_delimiter: 'auto', csv_encoding: 'windows-1252', csv_quote: "'" })
  expect(await run(['csv', 'Supplier', '--target-delimiter', 'semicolon'], { env })).toMatchObject({
    exit: 2,
    err: expect.stringContaining('--target-delimiter is for sync tasks'),
  })
  await aConfig(site.db, { name: 'Shop' })
  expect((await run(['csv', 'Shop'], { env })).exit).toBe(2)
})

test('of a sync task, how its sources are read and how its target is written', async () => {
  const { run } = await commandLine()
  await aSyncTask(site.db, { name: 'Prices' })
  const { out } = await run(
    [
      'csv',
      'Prices',
      '--delimiter',
      'bar',
      '--target-delimiter',
      'semicolon',
      '--target-encoding',
      'utf-8-bom',
    ],
    { env },
  )
  expect(lines(out).slice(1)).toEqual([
    'Delimiter of the CSV file that is read|bar',
    'Encoding of the CSV file that is read|detect',
    'Quote of the CSV file that is read|detect',
    'Delimiter of the CSV file that is written|semicolon',
    'Encoding of the CSV file that is written|utf-8-bom',
  ])
  await run(['csv', 'Prices', '--target-delimiter', 'keep', '--delimiter', 'detect'], { env })
  expect(JSON.parse((await run(['csv', 'Prices', '--json'], { env })).out)).toMatchObject({
    task_name: 'Prices',
    source_csv_delimiter: null,
    target_csv_delimiter: null,
    target_csv_encoding: 'utf-8-bom',
  })
})
