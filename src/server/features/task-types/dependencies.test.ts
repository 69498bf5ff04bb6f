import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { done, handlerOf } from '../../../../test/fixtures/engine.ts'
import { SOURCE, SYNC, taskTypesOf, UNIFIED } from '../../../../test/fixtures/task-types.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { taskTypeMessages } from '../../../contract/task-types/client-messages.ts'

let app: TestApp
let ada: SignedIn
let taskTypes: ReturnType<typeof taskTypesOf>

beforeAll(async () => {
  app = await testApp({ handlers: [handlerOf(async () => done)] })
  ada = await app.signIn('ada@example.com')
  taskTypes = taskTypesOf(ada)
})

test('a chain of a thousand types is listed with the first names and an ellipsis', async () => {
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
  const types = await taskTypes.listed(`${UNIFIED}?category=compiler`)
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
  const [pull, price, old] = [
    await taskTypes.added(SOURCE),
    await taskTypes.added(SOURCE),
    await taskTypes.added(SOURCE),
  ]
  const dependencies = [
    { dependency_task_type_id: price.id, condition_type: 'completion' },
    { dependency_task_type_id: pull.id, condition_type: 'success' },
  ]
  const type = await taskTypes.added(SOURCE, { depends_on_id: old.id, dependencies })
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

test('eleven dependencies, a repeated one, the type itself, a deleted one and an unknown condition are refused', async () => {
  const { id } = await taskTypes.added(SOURCE)
  const on = (dependency_task_type_id: number, condition_type = 'success') => ({
    dependency_task_type_id,
    condition_type,
  })
  const refused = (...dependencies: object[]) => taskTypes.refusal('PUT', `${SOURCE}/${id}`, { dependencies })
  const others = await Promise.all(Array.from({ length: 11 }, () => taskTypes.added(SOURCE)))
  const [one] = others
  if (one === undefined) throw new Error('No other type')
  expect(await refused(...others.map((other) => on(other.id)))).toEqual([
    400,
    'dependencies',
    fieldMessages.dependencies_many,
  ])
  expect(await refused(on(one.id), on(one.id, 'completion'))).toEqual([
    400,
    'dependencies',
    fieldMessages.dependency_twice,
  ])
  expect((await refused(on(id)))[2]).toBe(taskTypeMessages.depends_on_itself)
  expect((await refused(on(2_147_483_647)))[0]).toBe(422)
  expect((await refused(on(one.id, 'failure')))[0]).toBe(400)
})

test('a cycle across categories is refused, also by two concurrent edits', async () => {
  const pull = await taskTypes.added(SOURCE)
  const copy = await taskTypes.added(SYNC, { depends_on_id: pull.id })
  const back = { dependencies: [{ dependency_task_type_id: copy.id, condition_type: 'completion' }] }
  expect(await taskTypes.refusal('PUT', `${SOURCE}/${pull.id}`, back)).toEqual([
    409,
    'dependencies',
    taskTypeMessages.circular_dependency,
  ])
  for (let round = 0; round < 5; round += 1) {
    const [source, sync] = [await taskTypes.added(SOURCE), await taskTypes.added(SYNC)]
    const replies = await Promise.all([
      ada.request('PUT', `${SOURCE}/${source.id}`, { depends_on_id: sync.id }),
      ada.request('PUT', `${UNIFIED}/${sync.id}`, { depends_on_id: source.id }),
    ])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  }
})
