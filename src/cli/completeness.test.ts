import { expect, test } from 'vitest'
import { testApp } from '../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler } from '../../test/fixtures/compiling.ts'
import { startEngine } from '../../test/fixtures/engine.ts'
import { aSyncTask } from '../../test/fixtures/factories.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'

test('completeness shows for each target how many records are complete, and what the others lack', async () => {
  const site = await testApp()
  const ada = await site.signIn()
  const ROWFERRY_URL = await site.app.listen({ host: '127.0.0.1', port: 0 })
  await startEngine(site.database, [compileHandler(site.database)])
  const rows = [
    ['A', 'Pan', 1],
    ['B', 'Pot', null],
    ['C', null, null],
  ]
  const config = await aMerge(site.db, [await aSource(site.db, ['SKU', 'Name', 'GTIN'], rows, 'Master')])
  const target = (name: string, needed: string[]) =>
    aSyncTask(site.db, {
      name,
      definition: {
        ...{ source_type: 'internal', source_ss_id: '', source_sheet_name: '', target_sheet_name: name },
        ...{
          source_compiler_config_id: config.id,
          completeness: JSON.stringify({ fields: needed, only_complete: false }),
        },
      },
    })
  await target('Web shop', ['Name'])
  await target('Marketplace', ['Name', 'GTIN'])
  await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
  const env = { ROWFERRY_URL, ROWFERRY_TOKEN: await aToken(ada, 'read') }
  const { run } = await commandLine()
  const shell = async (...line: string[]) => (await run(['completeness', ...line], { env })).out.trimEnd()
  const lines = (await shell()).split('\n')
  expect(lines[0]).toMatch(/^TARGET +CONFIGURATION +COMPLETE +MISSING$/)
  expect(lines.find((line) => line.startsWith('Web shop'))).toMatch(/ 66 % +Name 1$/)
  expect(lines.find((line) => line.startsWith('Marketplace'))).toMatch(/ 33 % +GTIN 2, Name 1$/)
  const json = JSON.parse(await shell('--json', '--config', config.name))
  expect(json).toHaveLength(2)
  expect(json[0]).toMatchObject({ compiler_config_id: config.id, config_name: config.name, records: 3 })
  const missing = await run(['completeness', '--config', 'Nowhere'], { env })
  expect([missing.exit, missing.err]).toEqual([expect.any(Number), expect.stringContaining('Nowhere')])
  expect(missing.exit).not.toBe(0)
})
