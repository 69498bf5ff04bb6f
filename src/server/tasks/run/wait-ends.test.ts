import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { streamsOf } from '../../../../test/fixtures/event-streams.ts'
import { aSyncTask } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { RunReply } from '../../../contract/runs/wait-for-run.ts'
import { tokens } from '../../../contract/tokens/calls.ts'
import { users } from '../../../contract/users/calls.ts'

// There is no worker, so a wait continues until it is ended.
let site: TestApp
let ada: SignedIn
let ben: SignedIn
let root: string
let run_id: number
// Without the notification, only the check once per minute would end them.
const beforeTheLook = { timeout: 45_000 }

beforeAll(async () => {
  site = await testApp({ env: { ADMIN_EMAILS: 'ada@example.com' } })
  ada = await site.signIn('ada@example.com')
  root = await site.app.listen({ host: '127.0.0.1', port: 0 })
  const task = await aSyncTask(site.db)
  const reply = await ada.request('POST', `/api/sync_tasks/${task.id}/execute?wait=1`)
  run_id = RunReply.parse(reply.json()).run?.id ?? 0
})
beforeEach(async () => {
  ben = await site.signIn('ben@example.com')
})

const path = () => `/api/runs/${run_id}?wait=300`
const open = (waits: number, streams: number) =>
  expect.poll(() => [site.app.http.waits.open, site.app.http.streams.open]).toEqual([waits, streams])
const idOf = async (email: string) =>
  users.list.reply.parse((await ada.request('GET', '/api/users')).json()).find((one) => one.email === email)
    ?.id ?? 0
const disable = async (is_disabled: boolean) =>
  ada.request('POST', `/api/users/${await idOf('ben@example.com')}/disable`, { is_disabled })

test(
  'waits and streams of a disabled user end, whether by session or token; those of others continue',
  beforeTheLook,
  async () => {
    const token = withToken(site.app, await aToken(ben, 'run', 'disabled'))
    const follower = streamsOf(root, ben)
    const stream = await follower.connect().reply
    const waits = [ben.request('GET', path()), token('GET', path())]
    const others = ada.request('GET', path())
    await open(3, 1)
    await disable(true)
    const replies = await Promise.all(waits)
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([401, 401])
    expect(replies.map((reply) => reply.json().code)).toEqual(['unauthenticated', 'token_invalid'])
    await stream.text()
    expect(await Promise.race([others, 'goes on'])).toBe('goes on')
    await disable(false)
    await site.db.updateTable('runs').set({ state: 'stopped' }).where('id', '=', run_id).execute()
    expect((await others).statusCode).toBe(200)
    await site.db.updateTable('runs').set({ state: 'queued' }).where('id', '=', run_id).execute()
  },
)

test('the wait of a token ends when it is revoked; the user’s session continues', beforeTheLook, async () => {
  const made = await ben.request('POST', '/api/tokens', {
    name: 'revoked',
    right: 'run',
    expires_in_days: 30,
  })
  const { id, token } = tokens.create.reply.parse(made.json())
  const wait = withToken(site.app, token)('GET', path())
  await open(1, 0)
  expect((await ben.request('DELETE', `/api/tokens/${id}`)).statusCode).toBe(204)
  expect([(await wait).statusCode, (await wait).json().code]).toEqual([401, 'token_invalid'])
  expect((await ben.request('GET', '/api/users')).statusCode).toBe(200)
})

test('the wait and the stream of a session end when the user signs out', beforeTheLook, async () => {
  const wait = ben.request('GET', path())
  const stream = await streamsOf(root, ben).connect().reply
  await open(1, 1)
  await ben.request('GET', '/auth/logout')
  expect((await wait).statusCode).toBe(401)
  await stream.text()
})

test('one user’s tokens take at most 40 waits, and others still get one', async () => {
  const names = Array.from({ length: 10 }, (_, n) => `many-${n}`)
  const made = []
  for (const name of names) made.push(await aToken(ben, 'run', name))
  const controllers: AbortController[] = []
  const wait = (headers: Record<string, string>) => {
    const controller = new AbortController()
    controllers.push(controller)
    return fetch(`${root}${path()}`, { headers, signal: controller.signal }).catch(() => null)
  }
  const asked = made.flatMap((token) =>
    Array.from({ length: 6 }, () => wait({ authorization: `Bearer ${token}` })),
  )
  // Those that are one too many are answered, and each of them says so.
  const refused: Response[] = []
  for (const reply of asked)
    void reply.then((answer) => {
      if (answer) refused.push(answer)
    })
  await expect.poll(() => refused.length).toBe(20)
  expect([
    ...new Set(refused.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`)),
  ]).toEqual(['429 15'])
  expect((await refused[0]?.json())?.message).toMatch(/^40 of your calls wait for a run/)
  const others = ada.request('GET', path())
  await open(41, 0)
  for (const controller of controllers) controller.abort()
  await site.db.updateTable('runs').set({ state: 'stopped' }).where('id', '=', run_id).execute()
  expect((await others).statusCode).toBe(200)
})
