import { expect, test } from 'vitest'
import { testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy } from '../../../../test/fixtures/factories.ts'
import { compilerRecords } from '../../../contract/compiler/records.ts'
import { compilerOverrides } from '../../../contract/overrides/calls.ts'

const COLUMNS = ['SKU', 'Price']

test('all overrides that match the filters are kept or dropped at once', async () => {
  const app = await testApp()
  const ada = await app.signIn('ada@example.com')
  await startEngine(app.database, [compileHandler(app.database)])
  const master = await aSource(
    app.db,
    COLUMNS,
    ['A', 'B', 'C'].map((sku) => [sku, 5]),
    'Master',
  )
  const config = await aMerge(app.db, [master])
  const path = `/api/compiler/configs/${config.id}/overrides`
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, body?: object) => {
    const reply = await ada.request(method, url, body)
    expect(reply.statusCode, reply.body).toBe(200)
    return reply.json()
  }
  const compile = () => ask('POST', '/api/compiler/compile', { config_id: config.id })
  const decide = (body: object) => ask('POST', `${path}/decide`, body)
  await compile()
  await ask('PUT', path, { values: ['A', 'B', 'C'].map((sku) => ({ sku, field: 'Price', value: 7 })) })
  await compile()
  await aCopy(app.db, master, COLUMNS, [
    ['A', 6],
    ['B', 6],
    ['C', 5],
  ])
  await compile()
  expect(await decide({ filters: { text: 'A' }, decision: 'keep' })).toEqual({ changed: 1 })
  const { data } = compilerOverrides.list.reply.parse(await ask('GET', path))
  expect(Object.fromEntries(data.map(({ sku, state }) => [sku, state]))).toEqual({
    ...{ A: 'active', B: 'review', C: 'active' },
  })
  expect(await decide({ filters: { state: 'review' }, decision: 'drop' })).toEqual({ changed: 1 })
  await compile()
  const records = compilerRecords.data.reply.parse(
    await ask('GET', `/api/compiler/data?compiler_config_id=${config.id}`),
  )
  expect(records.data.map(({ sku, Price }) => [sku, Price])).toEqual([
    ['A', 7],
    ['B', 6],
    ['C', 7],
  ])
  for (const body of [{ decision: 'drop' }, { ids: [1], filters: {}, decision: 'drop' }]) {
    const reply = await ada.request('POST', `${path}/decide`, body)
    expect([reply.statusCode, reply.json().message]).toEqual([400, 'Name either ids or filters'])
  }
  const { details } = await app.db
    .selectFrom('audit_log')
    .select('details')
    .where('action', '=', 'drop_overrides')
    .executeTakeFirstOrThrow()
  expect(details).toEqual({ filters: { state: 'review' }, count: 1 })
})
