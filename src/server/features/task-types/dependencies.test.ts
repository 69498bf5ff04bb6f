import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/app.ts'
import { done, handlerOf } from '../../../../test/engine.ts'
import { messages } from '../../../contract/messages.ts'
import { sourceTaskTypes, TaskType } from '../../../contract/task-types.ts'

const SYNC = '/api/sync_task_types'
const SOURCE = '/api/source_task_types'
const UNIFIED = '/api/unified_task_types'
let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp({ handlers: [handlerOf(async () => done)] })
  ada = await app.signIn('ada@example.com')
})

let serial = 0
async function added(path: string, fields: object = {}): Promise<TaskType> {
  serial += 1
  const reply = await ada.request('POST', path, { name: `Of a category ${serial}`, ...fields })
  expect([reply.statusCode, reply.json()]).toEqual([201, expect.anything()])
  return TaskType.parse(reply.json())
}
const listed = async (path: string) =>
  sourceTaskTypes.list.reply.parse((await ada.request('GET', path)).json())
const refusal = async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) => {
  const reply = await ada.request(method, path, body)
  return [reply.statusCode, reply.json().field, reply.json().message]
}

test('a thousand types in a row are listed: of their chain the first names, then an ellipsis', async () => {
  await sql`
    with row_of as (
      insert into task_types (category, name, chunk_size)
      select 'compiler', 'In a row ' || n, 1 from generate_series(1, 1000) n returning id
    )
    insert into task_type_dependencies (task_type_id, depends_on_id, condition, position)
    select id, before, 'success', 0
    from (select id, lag(id) over (order by id) as before from row_of) as neighbours where before is not null`.execute(
    app.db,
  )
  const types = await listed(`${UNIFIED}?category=compiler`)
  const last = types.find(({ name }) => name === 'In a row 1000')
  expect(last?.dependency_chain).toHaveLength(51)
  expect(last?.dependency_chain.slice(0, 2)).toEqual(['In a row 999', 'In a row 998'])
  expect(last?.dependency_chain.at(-1)).toBe('…')
  await sql`delete from task_type_dependencies where task_type_id in (select id from task_types where category = 'compiler')`.execute(
    app.db,
  )
  await sql`delete from task_types where category = 'compiler'`.execute(app.db)
})

test('all dependencies are stored with their conditions and order, and win over the first one alone', async () => {
  const [pull, price, old] = [await added(SOURCE), await added(SOURCE), await added(SOURCE)]
  const dependencies = [
    { dependency_task_type_id: price.id, condition_type: 'completion' },
    { dependency_task_type_id: pull.id, condition_type: 'success' },
  ]
  const type = await added(SOURCE, { depends_on_id: old.id, dependencies })
  expect(type).toMatchObject({
    depends_on_id: price.id,
    depends_on_name: price.name,
    dependencies: [
      { ...dependencies[0], name: price.name, task_category: 'source' },
      { ...dependencies[1], name: pull.name, task_category: 'source' },
    ],
    dependency_chain: [price.name],
  })
  const path = `${SOURCE}/${type.id}`
  const again = await ada.request('PUT', path, type)
  expect(again.json().dependencies).toEqual(type.dependencies)
  const first = await ada.request('PUT', path, { depends_on_id: old.id })
  expect(first.json().dependencies.map((one: { name: string }) => one.name)).toEqual([old.name, pull.name])
  expect((await ada.request('PUT', path, { dependencies: [] })).json()).toMatchObject({
    depends_on_id: null,
    dependencies: [],
  })
})

test('eleven dependencies, one twice, oneself, one that is gone and an unknown condition are refused', async () => {
  const { id } = await added(SOURCE)
  const on = (dependency_task_type_id: number, condition_type = 'success') => ({
    dependency_task_type_id,
    condition_type,
  })
  const refused = (...dependencies: object[]) => refusal('PUT', `${SOURCE}/${id}`, { dependencies })
  const others = await Promise.all(Array.from({ length: 11 }, () => added(SOURCE)))
  const [one] = others
  if (one === undefined) throw new Error('No other type')
  expect(await refused(...others.map((other) => on(other.id)))).toEqual([
    400,
    'dependencies',
    messages.dependencies_many,
  ])
  expect(await refused(on(one.id), on(one.id, 'completion'))).toEqual([
    400,
    'dependencies',
    messages.dependency_twice,
  ])
  expect((await refused(on(id)))[2]).toBe(messages.depends_on_itself)
  expect((await refused(on(2_147_483_647)))[0]).toBe(422)
  expect((await refused(on(one.id, 'failure')))[0]).toBe(400)
})

test('a circle over categories is refused, also by two edits at once', async () => {
  const pull = await added(SOURCE)
  const copy = await added(SYNC, { depends_on_id: pull.id })
  const back = { dependencies: [{ dependency_task_type_id: copy.id, condition_type: 'completion' }] }
  expect(await refusal('PUT', `${SOURCE}/${pull.id}`, back)).toEqual([
    409,
    'dependencies',
    messages.circular_dependency,
  ])
  for (let round = 0; round < 5; round += 1) {
    const [source, sync] = [await added(SOURCE), await added(SYNC)]
    const replies = await Promise.all([
      ada.request('PUT', `${SOURCE}/${source.id}`, { depends_on_id: sync.id }),
      ada.request('PUT', `${UNIFIED}/${sync.id}`, { depends_on_id: source.id }),
    ])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  }
})
