import { expect, test } from 'vitest'
import { testApp } from '../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler } from '../../test/fixtures/compiling.ts'
import { startEngine } from '../../test/fixtures/engine.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'

test('decisions shows where sources disagree, and the rules', async () => {
  const site = await testApp()
  const ada = await site.signIn()
  const ROWFERRY_URL = await site.app.listen({ host: '127.0.0.1', port: 0 })
  await startEngine(site.database, [compileHandler(site.database)])
  const master = await aSource(site.db, ['SKU', 'Colour'], [['A', 'blk']], 'Master')
  const supplier = await aSource(site.db, ['SKU', 'Colour'], [['A', 'Black']], 'Supplier')
  const config = await aMerge(site.db, [master, supplier])
  await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
  const env = { ROWFERRY_URL, ROWFERRY_TOKEN: await aToken(ada, 'read') }
  const { run } = await commandLine()
  const shell = async (...line: string[]) =>
    (await run(['decisions', String(config.id), ...line], { env })).out.trimEnd()
  expect(await shell()).toMatch(
    /: 1 open, 0 rules\nFIELD +RECORDS +VALUES\nColour +1 +blk \(Master\) \| Black \(Supplier\)$/,
  )
  await ada.request('PUT', `/api/compiler/configs/${config.id}/decisions`, {
    sources: [{ field: 'Colour', source_task_id: supplier }],
  })
  expect(await shell('--rules')).toMatch(
    /RULE +RECORDS +SET BY\nColour: always “Supplier” if it has a value +next compile +\S+@/,
  )
  expect(JSON.parse(await shell('--json', '--field', 'Colour'))).toMatchObject({
    total_count: 0,
    counts: { rules: 1 },
  })
  expect(await shell('--field', 'Size')).toMatch(/: 0 open/)
})
