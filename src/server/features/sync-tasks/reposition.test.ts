import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

/** Four tasks of a type, all with the same sort order, as an import leaves them. */
async function four() {
  const { id: task_type_id } = await aType(app.db)
  const tasks: { id: number; name: string }[] = []
  for (const name of ['a', 'b', 'c', 'd'])
    tasks.push(await aSyncTask(app.db, { name, task_type_id, sort_order: 5 }))
  const move = async (name: string, action: string) => {
    const task = tasks.find((one) => one.name === name)
    const reply = await ada.request('POST', `/api/sync_tasks/${task?.id}/reposition`, { action })
    return { statusCode: reply.statusCode, ...reply.json() }
  }
  const order = async () => {
    const { syncTasks } = (await ada.request('GET', '/api/sync_tasks')).json()
    return syncTasks
      .filter((task: { sync_task_type_id: number }) => task.sync_task_type_id === task_type_id)
      .map(({ name }: { name: string }) => name)
      .join('')
  }
  return { move, order }
}

test.each([
  ['c', 'front', 'cabd', 1],
  ['c', 'up', 'acbd', 2],
  ['b', 'down', 'acbd', 3],
  ['b', 'back', 'acdb', 4],
  ['a', 'back', 'bcda', 4],
  ['d', 'front', 'dabc', 1],
])('moving %s %s gives the order %s within its type', async (name, action, expected, position) => {
  const { move, order } = await four()
  expect(await move(name, action)).toEqual({
    statusCode: 200,
    status: 'success',
    message: taskServerMessages.moved(name, position, 4),
  })
  expect(await order()).toBe(expected)
})

test.each([
  ['a', 'front', taskServerMessages.already_first('a')],
  ['a', 'up', taskServerMessages.already_first('a')],
  ['d', 'down', taskServerMessages.already_last('d')],
  ['d', 'back', taskServerMessages.already_last('d')],
])('moving %s %s at the edge is a warning', async (name, action, message) => {
  const { move, order } = await four()
  expect(await move(name, action)).toEqual({ statusCode: 200, status: 'warning', message })
  expect(await order()).toBe('abcd')
})

test('concurrent moves neither lose nor duplicate a task', async () => {
  const { move, order } = await four()
  const actions = ['front', 'down', 'up', 'back', 'front', 'up', 'down', 'back']
  await Promise.all(actions.map((action, n) => move('abcd'.charAt(n % 4), action)))
  expect([...(await order())].sort().join('')).toBe('abcd')
})

test('an edit opened before a move is still saved after it', async () => {
  const task = await aSyncTask(app.db)
  await aSyncTask(app.db, { task_type_id: task.task_type_id })
  const read = (await ada.request('GET', `/api/sync_tasks/${task.id}`)).json()
  await ada.request('POST', `/api/sync_tasks/${task.id}/reposition`, { action: 'back' })
  const reply = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { ...read, start_row: 2 })
  expect([reply.statusCode, reply.json().position_actions.current_position]).toEqual([200, 2])
})

test('an unknown direction is refused, and a missing task is 404', async () => {
  const { move } = await four()
  expect(await move('a', 'sideways')).toMatchObject({ statusCode: 400, field: 'action' })
  const reply = await ada.request('POST', '/api/sync_tasks/99999/reposition', { action: 'up' })
  expect(reply.statusCode).toBe(404)
})
