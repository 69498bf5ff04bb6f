import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { TcpProxy } from '../../test/fakes/tcp-proxy.ts'
import { type SignedIn, type TestApp, testApp } from '../../test/fixtures/app.ts'
import { done, handlerOf, startEngine } from '../../test/fixtures/engine.ts'
import { aSyncTask } from '../../test/fixtures/factories.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'
import { tokenMessages } from '../contract/tokens/client-messages.ts'

const handlers = [handlerOf(async () => done)]

let site: TestApp
let ada: SignedIn
let url: string
let env: { ROWFERRY_URL: string; ROWFERRY_TOKEN: string }

beforeAll(async () => {
  site = await testApp({ handlers })
  ada = await site.signIn()
  url = await site.app.listen({ host: '127.0.0.1', port: 0 })
  env = { ROWFERRY_URL: url, ROWFERRY_TOKEN: await aToken(ada, 'edit', 'Command line') }
})

describe('while the server is unavailable', () => {
  /** Queues a run and waits for it through a proxy, after the proxy has passed a first request. */
  async function waits(name: string, retry_for_ms: number) {
    await aSyncTask(site.db, { name })
    const proxy = await TcpProxy.before(Number(new URL(url).port))
    onTestFinished(() => proxy.close())
    const { run } = await commandLine()
    const seen = Promise.withResolvers<void>()
    const away = Promise.withResolvers<void>()
    const onOutput = (text: string) => {
      if (text.includes('queued')) seen.resolve()
      if (text.includes('Trying again')) away.resolve()
    }
    const through = { ...env, ROWFERRY_URL: `http://127.0.0.1:${proxy.port}` }
    const waited = run(['run', name, '--wait'], { env: through, retry_for_ms, isTerminal: true, onOutput })
    await seen.promise
    return { proxy, waited, away: away.promise }
  }

  test('--wait continues when the server is back, and reports the result of the run', async () => {
    const { proxy, waited, away } = await waits('Outlasts', 60_000)
    proxy.cut()
    await away
    await startEngine(site.database, handlers)
    expect(await waited).toMatchObject({ exit: 0, out: expect.stringContaining('Outlasts: Success') })
  })

  test('after the retry window --wait gives up with an error; the run stays queued', async () => {
    const { proxy, waited } = await waits('Given up', 300)
    await proxy.close()
    expect(await waited).toMatchObject({ exit: 5, err: expect.stringContaining('does not answer') })
    const { state } = await site.db
      .selectFrom('runs')
      .select('state')
      .where('task_name', '=', 'Given up')
      .executeTakeFirstOrThrow()
    expect(state).toBe('queued')
  })
})

test('with --json the error of a command is JSON too', async () => {
  const { run } = await commandLine()
  const failed = async (line: string, env: Record<string, string>) => {
    const { exit, out, err } = await run(line, { env })
    expect(out).toBe('')
    return [exit, JSON.parse(err)]
  }
  expect(await failed('run Nothing --json', env)).toEqual([
    2,
    { exit: 2, code: 'usage', message: expect.stringContaining('Nothing') },
  ])
  const reader = { ...env, ROWFERRY_TOKEN: await aToken(ada, 'read', 'Reads JSON') }
  const task = await aSyncTask(site.db)
  expect(await failed(`run ${task.id} --json`, reader)).toMatchObject([5, { status: 403 }])
  const away = { ...env, ROWFERRY_URL: 'http://127.0.0.1:9' }
  expect(await failed('status --json', away)).toMatchObject([5, { code: 'no_answer', status: 0 }])
})

test('a call beyond the right of the token is rejected; an unavailable server is an error', async () => {
  const { run } = await commandLine()
  const reader = { ...env, ROWFERRY_TOKEN: await aToken(ada, 'read', 'Only reads') }
  const task = await aSyncTask(site.db)
  expect(await run(`run ${task.id}`, { env: reader })).toEqual({
    exit: 5,
    out: '',
    err: `${tokenMessages.right_missing('run')}\n`,
  })
  const away = { ...env, ROWFERRY_URL: 'http://127.0.0.1:9' }
  expect(await run('tasks', { env: away })).toMatchObject({
    exit: 5,
    err: expect.stringContaining('127.0.0.1:9'),
  })
})
