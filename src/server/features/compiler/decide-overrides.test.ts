import { expect, test } from 'vitest'
import { type SignedIn, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy } from '../../../../test/fixtures/factories.ts'
import { compilerRecords } from '../../../contract/compiler/records.ts'
import { compilerOverrides } from '../../../contract/overrides/calls.ts'

const COLUMNS = ['SKU', 'Price']

/** A configuration with overrides of the prices of A, B and C; those of A and B are for review. */
async function reviewed() {
  const app = await testApp()
  const ada = await app.signIn('ada@example.com')
  const bob = await app.signIn('bob@example.com')
  await startEngine(app.database, [compileHandler(app.database)])
  const master = await aSource(
    app.db,
    COLUMNS,
    ['A', 'B', 'C'].map((sku) => [sku, 5]),
    'Master',
  )
  const config = await aMerge(app.db, [master])
  const path = `/api/compiler/configs/${config.id}/overrides`
  const askAs = async (user: SignedIn, method: 'GET' | 'POST' | 'PUT', url: string, body?: object) => {
    const reply = await user.request(method, url, body)
    expect(reply.statusCode, reply.body).toBe(200)
    return reply.json()
  }
  const ask = (method: 'GET' | 'POST' | 'PUT', url: string, body?: object) => askAs(ada, method, url, body)
  const compile = () => ask('POST', '/api/compiler/compile', { config_id: config.id })
  const decide = async (body: object, user = ada) =>
    compilerOverrides.review.reply.parse(await askAs(user, 'POST', `${path}/decide`, body))
  const set = (skus: string[], value: number, user = ada) =>
    askAs(user, 'PUT', path, { values: skus.map((sku) => ({ sku, field: 'Price', value })) })
  const undo = async (batch: number | null) =>
    compilerOverrides.undo.reply.parse(await ask('POST', `${path}/undo`, { batch }))
  const list = async () => compilerOverrides.list.reply.parse(await ask('GET', path)).data
  /** The value and state of each SKU's live override, else of an ended one. */
  const states = async () => {
    const live = (await list()).toSorted(
      (one, other) => Number(other.state === 'ended') - Number(one.state === 'ended'),
    )
    return Object.fromEntries(live.map(({ sku, value, state }) => [sku, `${value} ${state}`]))
  }
  await compile()
  await set(['A', 'B', 'C'], 7)
  await compile()
  await aCopy(app.db, master, COLUMNS, [
    ['A', 6],
    ['B', 6],
    ['C', 5],
  ])
  await compile()
  return { app, ada, bob, config, path, ask, compile, decide, set, undo, list, states }
}

test('all overrides that match the filters are kept or dropped at once', async () => {
  const { app, ada, config, path, ask, compile, decide } = await reviewed()
  expect(await decide({ filters: { text: 'A' }, decision: 'keep' })).toMatchObject({ changed: 1 })
  const { data } = compilerOverrides.list.reply.parse(await ask('GET', path))
  expect(Object.fromEntries(data.map(({ sku, state }) => [sku, state]))).toEqual({
    ...{ A: 'active', B: 'review', C: 'active' },
  })
  expect(await decide({ filters: { state: 'review' }, decision: 'drop' })).toMatchObject({ changed: 1 })
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

test('overrides that were dropped or kept at once are as before after an undo', async () => {
  const { ask, path, decide, undo, list, states, compile } = await reviewed()
  const before = await list()
  const none = { count: 0, first: [] }
  const dropped = await decide({ filters: { state: 'live' }, decision: 'drop' })
  expect([dropped.changed, await states()]).toEqual([3, { A: '7 ended', B: '7 ended', C: '7 ended' }])
  expect(await undo(dropped.batch)).toEqual({ ended: 0, restored: 3, changed_since: none })
  expect(await list()).toEqual(before)

  const kept = await decide({ filters: { state: 'review' }, decision: 'keep' })
  expect([kept.changed, await states()]).toEqual([2, { A: '7 active', B: '7 active', C: '7 active' }])
  expect(await undo(kept.batch)).toEqual({ ended: 0, restored: 2, changed_since: none })
  expect(await list()).toEqual(before)
  // A second undo of the same change has nothing to do.
  expect(await undo(kept.batch)).toEqual({ ended: 0, restored: 0, changed_since: none })

  // A compile after the decision does not prevent its undo.
  const again = await decide({ filters: { state: 'review' }, decision: 'keep' })
  await compile()
  expect(await undo(again.batch)).toMatchObject({ restored: 2 })
  expect(await states()).toEqual({ A: '7 review', B: '7 review', C: '7 active' })
  expect(await decide({ ids: [9999], decision: 'drop' })).toEqual({ changed: 0, batch: null })
  expect((await ask('GET', path)).counts).toEqual({ active: 1, review: 2, waiting: 0, ended: 0 })
})

test('an undo leaves overrides alone that another user changed meanwhile, and names them', async () => {
  const { bob, decide, set, undo, list, states } = await reviewed()
  const idOf = async (sku: string) => (await list()).find((one) => one.sku === sku)?.id
  const first = [
    { sku: 'A', field: 'Price' },
    { sku: 'B', field: 'Price' },
  ]
  const dropped = await decide({ filters: { state: 'live' }, decision: 'drop' })
  await set(['A'], 9, bob)
  const ids = [await idOf('B')]
  await decide({ ids, decision: 'restore' }, bob)
  await decide({ ids, decision: 'drop' }, bob)
  const after = { A: '9 active', B: '7 ended', C: '7 active' }
  expect(await undo(dropped.batch)).toEqual({ ended: 0, restored: 1, changed_since: { count: 2, first } })
  expect(await states()).toEqual(after)

  await decide({ ids, decision: 'restore' })
  const kept = await decide({ filters: { state: 'review' }, decision: 'keep' })
  await decide({ ids, decision: 'drop' }, bob)
  expect(await undo(kept.batch)).toEqual({
    ...{ ended: 0, restored: 0, changed_since: { count: 1, first: first.slice(1) } },
  })
  expect(await states()).toEqual(after)

  const { batch } = await set(['A', 'C'], 3)
  await set(['A'], 4, bob)
  expect(await undo(batch)).toEqual({
    ...{ ended: 1, restored: 1, changed_since: { count: 1, first: first.slice(0, 1) } },
  })
  expect(await states()).toEqual({ A: '4 active', B: '7 ended', C: '7 active' })
})
