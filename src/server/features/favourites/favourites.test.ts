import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aSourceTask, aSyncTask } from '../../../../test/fixtures/factories.ts'

let site: TestApp
let ada: SignedIn
let bob: SignedIn

beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
  bob = await site.signIn('bob@example.com')
})

const favouritesOf = async (user: SignedIn) =>
  (await user.request('GET', '/api/favourites')).json().task_ids as number[]
const set = (user: SignedIn, id: number, is_favourite: boolean) =>
  user.request('PUT', `/api/favourites/${id}`, { is_favourite })

test('tasks of all categories become favourites of one user only, also by repeated requests', async () => {
  const tasks = [
    (await aSyncTask(site.db)).id,
    (await aSourceTask(site.db)).id,
    (await aConfig(site.db)).task_id,
  ].sort((a, b) => a - b)
  for (const id of [...tasks, ...tasks])
    expect((await set(ada, id, true)).json()).toEqual({ task_id: id, is_favourite: true })
  expect(await favouritesOf(ada)).toEqual(tasks)
  expect(await favouritesOf(bob)).toEqual([])
  for (const id of [...tasks, ...tasks]) expect((await set(ada, id, false)).statusCode).toBe(200)
  expect(await favouritesOf(ada)).toEqual([])
})

test('a task that does not exist is refused, and a deleted task is no favourite', async () => {
  const refused = await set(ada, 2_000_000_000, true)
  expect([refused.statusCode, refused.json().message]).toEqual([404, 'Task not found.'])
  const { id } = await aSyncTask(site.db)
  await set(ada, id, true)
  expect((await bob.request('DELETE', `/api/sync_tasks/${id}`)).statusCode).toBe(204)
  expect(await favouritesOf(ada)).toEqual([])
})

test('two requests at once leave one favourite', async () => {
  const { id } = await aSyncTask(site.db)
  const replies = await Promise.all([set(ada, id, true), set(ada, id, true), set(bob, id, true)])
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect(await favouritesOf(ada)).toEqual([id])
  expect(await favouritesOf(bob)).toEqual([id])
})
