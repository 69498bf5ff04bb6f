import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { TypeGraph } from '../../../contract/type-graph/calls.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn()
})

const graph = async () => TypeGraph.parse((await ada.request('GET', '/api/unified_task_types/graph')).json())

const depend = (task_type_id: number, depends_on_id: number, position = 0) =>
  app.db
    .insertInto('task_type_dependencies')
    .values({ task_type_id, depends_on_id, condition: position === 0 ? 'success' : 'completion', position })
    .execute()

test('the graph has the types of all categories and their dependencies with conditions, the first dependency first', async () => {
  const source = await aType(app.db, { category: 'source', name: 'Prices' })
  const other = await aType(app.db, { category: 'source', name: 'Stock', is_active: false })
  const compiler = await aType(app.db, { category: 'compiler', name: 'Catalogue' })
  const sync = await aType(app.db, { name: 'Shops' })
  await depend(compiler.id, other.id, 1)
  await depend(compiler.id, source.id)
  await depend(sync.id, compiler.id)
  const task = await aSyncTask(app.db, { task_type_id: sync.id })
  await aSyncTask(app.db, { task_type_id: sync.id })
  await aRun(app.db, task.id, { state: 'running', task_type_id: sync.id })
  const { nodes, edges, cycles } = await graph()
  expect(nodes.map(({ name, task_category, is_active }) => [name, task_category, is_active])).toEqual([
    ['Catalogue', 'compiler', true],
    ['Prices', 'source', true],
    ['Shops', 'sync', true],
    ['Stock', 'source', false],
  ])
  expect(nodes.find(({ id }) => id === sync.id)?.counts).toMatchObject({
    running: 1,
    never_run: 1,
    queued: 0,
  })
  expect(edges).toEqual([
    { from: source.id, to: compiler.id, condition: 'success' },
    { from: other.id, to: compiler.id, condition: 'completion' },
    { from: compiler.id, to: sync.id, condition: 'success' },
  ])
  expect(cycles).toEqual([])
})

test('a cycle written directly to the database is named in the direction of its arrows', async () => {
  const [a, b, c] = [await aType(app.db), await aType(app.db), await aType(app.db)]
  await depend(b.id, a.id)
  await depend(c.id, b.id)
  await depend(a.id, c.id)
  expect((await graph()).cycles).toEqual([[c.id, a.id, b.id]])
})
