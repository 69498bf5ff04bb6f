import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { done, handlerOf } from '../../../../test/fixtures/engine.ts'
import { aSourceTask, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { auditTrail, sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { taskTypeServerMessages } from '../../../contract/task-types/server-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

let app: TestApp
let tasks: ReturnType<typeof sourceTasksOf>
const trail = auditTrail(() => app.db)

beforeAll(async () => {
  app = await testApp({ handlers: [handlerOf(async () => done, { category: 'source' })] })
  tasks = sourceTasksOf(await app.signIn('ada@example.com'))
})

beforeEach(async () => {
  await app.db.deleteFrom('runs').execute()
  await app.db.deleteFrom('tasks').execute()
  await trail.begin()
})

const post = (path: string, body?: object) => tasks.reply('POST', `/api/source_tasks/${path}`, body)
const namesInOrder = async () => (await tasks.list()).map(({ name }) => name).join('')
describe('moving', () => {
  test('reposition moves a task within its type, and among those without one; a warning at the edge', async () => {
    const type = await aType(app.db, { category: 'source' })
    for (const task_type_id of [type.id, null]) {
      const [a, , c] = [
        await aSourceTask(app.db, { name: 'a', task_type_id }),
        await aSourceTask(app.db, { name: 'b', task_type_id }),
        await aSourceTask(app.db, { name: 'c', task_type_id }),
      ]
      expect(await post(`${c.id}/reposition`, { action: 'front' })).toMatchObject([
        200,
        { status: 'success' },
      ])
      expect(await post(`${a.id}/reposition`, { action: 'down' })).toMatchObject([200, { status: 'success' }])
      expect(await post(`${c.id}/reposition`, { action: 'up' })).toEqual([
        200,
        { status: 'warning', message: taskServerMessages.already_first('c') },
      ])
    }
    expect(await namesInOrder()).toBe('cbacba')
  })

  test('ten people who move tasks without a type at once leave each in one place', async () => {
    const ids: number[] = []
    for (let n = 0; n < 10; n += 1) ids.push((await aSourceTask(app.db)).id)
    const replies = await Promise.all(
      ids.map((id, n) => post(`${id}/reposition`, { action: n % 2 ? 'front' : 'back' })),
    )
    expect(new Set(replies.map(([status]) => status))).toEqual(new Set([200]))
    const orders = (await tasks.list()).map(({ sort_order }) => sort_order)
    expect(orders).toEqual(Array.from({ length: 10 }, (_, n) => n + 1))
  })

  test('reorder sets the order of all tasks of one section', async () => {
    const type = await aType(app.db, { category: 'source' })
    const [a, b, c] = [
      await aSourceTask(app.db, { name: 'a', task_type_id: type.id }),
      await aSourceTask(app.db, { name: 'b', task_type_id: type.id }),
      await aSourceTask(app.db, { name: 'c', task_type_id: type.id }),
    ]
    const [d, e] = [await aSourceTask(app.db, { name: 'd' }), await aSourceTask(app.db, { name: 'e' })]
    expect(await post('reorder', { task_ids: [c.id, a.id, b.id] })).toEqual([
      200,
      { status: 'success', message: 'Reordered 3 tasks', reordered_count: 3 },
    ])
    expect(await post('reorder', { task_ids: [e.id, d.id] })).toMatchObject([200, { reordered_count: 2 }])
    expect(await namesInOrder()).toBe('cabed')
    expect(await trail.entries()).toEqual([
      `reorder source_task_type ${type.id}`,
      'reorder source_task_type null',
    ])
  })

  test('reorder needs exactly one section: repeated ids are 400, ids of other sections and missing ids 409', async () => {
    const type = await aType(app.db, { category: 'source' })
    const [a, b] = [
      await aSourceTask(app.db, { name: 'a', task_type_id: type.id }),
      await aSourceTask(app.db, { name: 'b', task_type_id: type.id }),
    ]
    const untyped = await aSourceTask(app.db, { name: 'c' })
    const sync = await aSyncTask(app.db)
    expect(await post('reorder', { task_ids: [b.id, a.id, b.id] })).toMatchObject([
      400,
      { field: 'task_ids', message: taskTypeServerMessages.named_twice(b.id) },
    ])
    expect(await post('reorder', { task_ids: [] })).toMatchObject([400, { field: 'task_ids' }])
    for (const task_ids of [
      [b.id],
      [b.id, a.id, untyped.id],
      [b.id, untyped.id],
      [b.id, a.id, 2_147_483_647],
      [sync.id],
      [2_147_483_647],
    ])
      expect(await post('reorder', { task_ids }), String(task_ids)).toMatchObject([
        409,
        { field: 'task_ids', message: taskTypeServerMessages.section_changed },
      ])
    expect(await namesInOrder()).toBe('abc')
    expect(await trail.entries()).toEqual([])
  })

  test('a thousand tasks are reordered, by two people at once, into one of the two orders', async () => {
    await app.db
      .insertInto('tasks')
      .values(
        Array.from({ length: 1_000 }, (_, n) => ({ category: 'source', name: `Task ${n}`, sort_order: n })),
      )
      .execute()
    await app.db
      .insertInto('source_tasks')
      .expression((eb) => eb.selectFrom('tasks').select(['id as task_id', eb.val('api').as('source_type')]))
      .columns(['task_id', 'source_type'])
      .execute()
    const ids = (await tasks.list()).map(({ id }) => id)
    const orders = [ids.toReversed(), [...ids.slice(500), ...ids.slice(0, 500)]]
    const replies = await Promise.all(orders.map((task_ids) => post('reorder', { task_ids })))
    expect(replies.map(([status]) => status)).toEqual([200, 200])
    expect(orders).toContainEqual((await tasks.list()).map(({ id }) => id))
  })
})
