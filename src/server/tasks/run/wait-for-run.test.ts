import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { done, handlersByName, startEngine, untilInterrupted } from '../../../../test/fixtures/engine.ts'
import { aRun, aSourceTask, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { runs } from '../../../contract/runs/calls.ts'
import { RunReply } from '../../../contract/runs/wait-for-run.ts'
import { RunFailure } from '../../engine/types.ts'

let site: TestApp
let ada: SignedIn
let send: ReturnType<typeof withToken>
const handlers = handlersByName(
  () => site.db,
  async (name, context) => {
    if (name.startsWith('Refused'))
      throw new RunFailure('No permission for the target.', { retryable: false })
    if (name.startsWith('Long')) return untilInterrupted(context.signal)
    return done
  },
)
beforeAll(async () => {
  site = await testApp({ handlers })
  ada = await site.signIn()
  send = withToken(site.app, await aToken(ada, 'run'))
})
afterEach(() => site.db.updateTable('runs').set({ state: 'stopped' }).where('state', '=', 'queued').execute())

const running = () => startEngine(site.database, handlers)
const execute = (id: number, wait: string) => send('POST', `/api/sync_tasks/${id}/execute?wait=${wait}`)

test('a waiting call returns the outcome when the run is over, in each category', async () => {
  await running()
  const [sync, source] = [await aSyncTask(site.db), await aSourceTask(site.db)]
  for (const [task, path] of [
    [sync, `/api/sync_tasks/${sync.id}/execute`],
    [source, `/api/source_schedule/trigger_task/${source.id}`],
  ] as const) {
    const reply = await send('POST', `${path}?wait=60`)
    expect(reply.statusCode, reply.body).toBe(200)
    const { run, ...rest } = RunReply.parse(reply.json())
    expect(rest).toEqual({ status: 'success', message: 'Done' })
    expect(run).toMatchObject({ state: 'success', warnings: [] })
    const { last_run_id } = await site.db
      .selectFrom('tasks')
      .select('last_run_id')
      .where('id', '=', task.id)
      .executeTakeFirstOrThrow()
    expect(run?.id).toBe(last_run_id)
  }
})

test('a failed run is 422 with its reason, so that a tool can rely on the status', async () => {
  await running()
  const task = await aSyncTask(site.db, { name: 'Refused' })
  const reply = await execute(task.id, '60')
  expect([reply.statusCode, reply.json()]).toMatchObject([
    422,
    { code: 'run_failed', message: 'No permission for the target.' },
  ])
})

test('a run that outlasts the wait is 202 with the run, which can be waited for again', async () => {
  const task = await aSyncTask(site.db)
  const first = await execute(task.id, '1')
  expect(first.statusCode).toBe(202)
  const { run } = RunReply.parse(first.json())
  expect(run).toMatchObject({ state: 'queued', duration_seconds: null })
  // A second call joins the run, as after a reply that was lost.
  const again = await execute(task.id, '1')
  expect([again.statusCode, RunReply.parse(again.json()).run?.id]).toEqual([202, run?.id])

  const asked = send('GET', `/api/runs/${run?.id}?wait=60`)
  await running()
  expect(runs.get.reply.parse((await asked).json())).toMatchObject({
    id: run?.id,
    state: 'success',
    message: 'Done',
    rows_total: null,
  })
})

test('a stopped run ends the wait; an inactive task is refused, as nothing was run', async () => {
  await running()
  const long = await aSyncTask(site.db, { name: 'Long' })
  const waiting = execute(long.id, '60')
  await expect
    .poll(
      async () =>
        (await site.db.selectFrom('runs').select('state').where('task_id', '=', long.id).execute())[0],
    )
    .toEqual({ state: 'running' })
  await send('POST', `/api/sync_tasks/stop/${long.id}`)
  expect((await waiting).statusCode).toBe(422)

  const idle = await aSyncTask(site.db, { name: 'Idle', is_active: false })
  const refused = await execute(idle.id, '60')
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'task_inactive'])
})

test('a run is read by its id; an unknown id is 404, and a wait is limited', async () => {
  const task = await aSyncTask(site.db)
  const { id } = await aRun(site.db, task.id, {
    state: 'running',
    rows_done: 3,
    rows_total: 7,
    phase: 'Reading',
  })
  const read = await send('GET', `/api/runs/${id}`)
  expect(read.json()).toMatchObject({ id, rows: 3, rows_total: 7, phase: 'Reading' })
  expect((await send('GET', '/api/runs/999999?wait=1')).statusCode).toBe(404)
  for (const wait of ['0', '301', '-1', 'x', ''])
    expect((await execute(task.id, wait)).statusCode, wait).toBe(400)
})

test('a token has at most 20 waits; the wait of a disconnected caller ends, and the others are answered when the server closes', async () => {
  const own = await testApp({ handlers, database: site.database })
  const root = await own.app.listen({ host: '127.0.0.1', port: 0 })
  const { id } = await aRun(site.db, (await aSyncTask(site.db)).id, { state: 'running' })
  const authorization = `Bearer ${await aToken(ada, 'read', 'Waiter')}`
  const wait = (signal: AbortSignal) =>
    fetch(`${root}/api/runs/${id}?wait=300`, { headers: { authorization }, signal }).then(
      ({ status }) => status,
      () => 'gone',
    )
  const [stay, leave] = [new AbortController(), new AbortController()]
  const open = ({ signal }: AbortController) => Array.from({ length: 10 }, () => wait(signal))
  const [staying, leaving] = [open(stay), open(leave)]
  // Accepted waits stay open until the limit is reached.
  const knock = () => {
    const status = wait(stay.signal)
    staying.push(status)
    return Promise.race([status, pause(500)])
  }
  const ofThoseLetIn = async (waits: Promise<unknown>[]) =>
    new Set((await Promise.all(waits)).filter((status) => status !== 429))
  await expect.poll(knock, { timeout: 20_000 }).toBe(429)
  leave.abort()
  expect(await ofThoseLetIn(leaving)).toEqual(new Set(['gone']))
  await expect.poll(() => wait(AbortSignal.timeout(500)), { timeout: 20_000 }).toBe('gone')
  await own.app.close()
  expect(await ofThoseLetIn(staying)).toEqual(new Set([200]))
})
