import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../test/fixtures/app.ts'
import { done, handlersByName, startEngine, untilInterrupted } from '../../test/fixtures/engine.ts'
import { aConfig, aRun, aSourceTask, aSyncTask, aType } from '../../test/fixtures/factories.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'
import { RunFailure } from '../server/engine/types.ts'
import { localTime } from './text.ts'

let site: TestApp
let ada: SignedIn
let url: string
let env: { ROWFERRY_URL: string; ROWFERRY_TOKEN: string }

const handlers = handlersByName(
  () => site.db,
  async (name, context) => {
    await context.progress({ phase: 'Reading', rows_done: 3, rows_total: 4 })
    if (name === 'Refused') throw new RunFailure('No permission.', { retryable: false })
    if (name === 'Dirty') await context.warn({ kind: 'cell', subject: 'A1', message: '1 cell with #N/A' })
    if (name === 'Long') return untilInterrupted(context.signal)
    return done
  },
)

beforeAll(async () => {
  site = await testApp({ handlers })
  ada = await site.signIn()
  url = await site.app.listen({ host: '127.0.0.1', port: 0 })
  env = { ROWFERRY_URL: url, ROWFERRY_TOKEN: await aToken(ada, 'edit', 'Command line') }
})

describe('login', () => {
  test('stores server and token, readable only by this user; later commands use them', async () => {
    const { run, home } = await commandLine()
    expect(await run('tasks')).toMatchObject({ exit: 2, err: expect.stringContaining('rowferry login') })
    const login = await run(['login', `${url}/sync_tasks`], { input: env.ROWFERRY_TOKEN })
    expect(login).toMatchObject({ exit: 0, out: expect.stringContaining('ada@example.com') })
    const file = join(home, '.config/rowferry/login.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ url, token: env.ROWFERRY_TOKEN })
    expect((await run('tasks')).exit).toBe(0)
    expect((await run('logout')).exit).toBe(0)
    expect((await run('tasks')).exit).toBe(2)
  })

  test('does not store an invalid token, nor a token for a remote server without https', async () => {
    const { run } = await commandLine()
    expect((await run(['login', url], { input: 'rowferry_x' })).exit).toBe(5)
    expect((await run(['login', url], { input: '' })).exit).toBe(2)
    expect((await run('login http://rowferry.example.com', { input: 'x' })).exit).toBe(2)
    expect((await run('login rowferry', { input: 'x' })).exit).toBe(2)
    expect((await run('tasks')).exit).toBe(2)
  })

  test('a stored token is not sent to another server that ROWFERRY_URL names', async () => {
    const { run } = await commandLine()
    await run(['login', url], { input: env.ROWFERRY_TOKEN })
    expect(await run('tasks', { env: { ROWFERRY_URL: 'http://127.0.0.1:9' } })).toMatchObject({ exit: 2 })
  })
})

describe('run', () => {
  test('the exit status reports the result of the run: success, failed, warnings, stopped', async () => {
    await startEngine(site.database, handlers)
    const type = await aType(site.db, { name: 'Outcomes', allowed_concurrent_tasks: 9 })
    for (const name of ['Well', 'Refused', 'Dirty', 'Long'])
      await aSyncTask(site.db, { name, task_type_id: type.id })
    await aSourceTask(site.db, { name: 'Pull' })
    const { run } = await commandLine()

    expect(await run('run Well --wait', { env })).toMatchObject({
      exit: 0,
      out: expect.stringContaining('Well: Success'),
    })
    expect((await run('run pull --wait', { env })).exit).toBe(0)
    expect(await run('run Refused --wait', { env })).toMatchObject({
      exit: 1,
      out: expect.stringContaining('Refused: Failed. No permission.'),
    })
    expect(await run('run Dirty --wait', { env })).toMatchObject({
      exit: 0,
      out: expect.stringContaining('! 1 cell with #N/A'),
    })
    expect((await run('run Dirty --wait --strict', { env })).exit).toBe(3)

    const bar = Promise.withResolvers<void>()
    const onOutput = (text: string) => text.includes('75%') && bar.resolve()
    const long = run('run Long --wait', { env, isTerminal: true, onOutput })
    await bar.promise
    expect((await run('stop Long', { env })).exit).toBe(0)
    const { exit, err } = await long
    expect(exit).toBe(4)
    expect(err).toContain('75%')
    expect(err).toContain('Reading')
  })

  test('without --wait the run is only started; it continues after --timeout and Ctrl-C', async () => {
    const task = await aSyncTask(site.db, { name: 'Waits' })
    const { run } = await commandLine()
    expect(await run(`run ${task.id}`, { env })).toMatchObject({ exit: 0, out: 'Waits is queued\n' })
    expect(await run('run Waits --wait --timeout 1', { env })).toMatchObject({ exit: 6 })
    const leave = new AbortController()
    const onOutput = (text: string) => text.includes('queued') && leave.abort()
    const left = run('run Waits --wait', { env, signal: leave.signal, isTerminal: true, onOutput })
    expect((await left).exit).toBe(130)
    const live = await site.db.selectFrom('runs').select('state').where('task_id', '=', task.id).execute()
    expect(live).toEqual([{ state: 'queued' }])
  })

  test('--json prints only the run; an inactive or unknown task is rejected', async () => {
    const task = await aSyncTask(site.db, { name: 'Idle', is_active: false })
    const { run } = await commandLine()
    expect((await run(`run ${task.id} --wait`, { env })).exit).toBe(5)
    expect(await run('run Nothing', { env })).toMatchObject({
      exit: 2,
      err: expect.stringContaining('Nothing'),
    })
    await startEngine(site.database, handlers)
    const { out } = await run('run Well --wait --json', { env })
    expect(JSON.parse(out)).toMatchObject({ task_name: 'Well', state: 'success' })
  })
})

test('two tasks of one name are distinguished by their numbers', async () => {
  const [one, two] = [
    await aSyncTask(site.db, { name: 'Twin' }),
    await aSourceTask(site.db, { name: 'twin' }),
  ]
  const { run } = await commandLine()
  const { exit, err } = await run('stop Twin', { env })
  expect(exit).toBe(2)
  for (const { id } of [one, two]) expect(err).toContain(String(id))
  expect((await run(`stop ${two.id}`, { env })).exit).toBe(0)
})

test('tasks, types and status show what the screens show, as text and as JSON', async () => {
  const { id: compiler_config_id } = await aConfig(site.db, { name: 'Shop' })
  await site.db
    .insertInto('compiler_overrides')
    .values({
      ...{ compiler_config_id, sku: 'A', field: 'Price', value: '7', reason: '', state: 'review' },
      ...{ author: 'ada@example.com', batch: 1 },
    })
    .execute()
  const broken = await aSyncTask(site.db, { name: 'Broken\u001b[2J' })
  await aRun(site.db, broken.id, { state: 'failed', error: 'No such tab.', finished_at: new Date() })
  const stopped = await aSyncTask(site.db, { name: 'Paused' })
  const finished_at = new Date()
  await aRun(site.db, stopped.id, { state: 'stopped', stop_asked_by: 'bob@example.com', finished_at })
  const { run } = await commandLine()
  const tasks = await run('tasks', { env })
  expect(tasks.out).toMatch(/ID +CATEGORY +NAME +TYPE +STATUS/)
  expect(tasks.out).toMatch(/compiler +Shop/)
  // Names from the server contain no control characters when they are printed.
  expect(tasks.out).toContain('Broken [2J')
  expect(tasks.out).not.toContain('\u001b')
  const listed = JSON.parse((await run('tasks --category sync --json', { env })).out)
  expect(listed).toContainEqual(
    expect.objectContaining({ id: broken.id, category: 'sync', status: 'Failed' }),
  )
  expect((await run('types --category sync', { env })).out).toContain('Outcomes')
  const status = (await run('status', { env })).out
  expect(status).toContain('No such tab.')
  expect(status).toMatch(/^CATEGORY .*STOPPED$/m)
  expect(status).toContain('1 × review: 1 override is for review: a source has changed since.')
  expect(status).toContain(
    `1 × stopped: Stopped by bob@example.com\n    ${stopped.id}  Paused, ${localTime(finished_at.toISOString(), 'UTC')}`,
  )
  expect(JSON.parse((await run('status --json', { env })).out)).toHaveProperty('stages.sync.failed')
})

test('logs prints the newest lines, oldest first, and follows new ones until Ctrl-C', async () => {
  const task = await aSyncTask(site.db, { name: 'Talker' })
  const line = (message: string) =>
    site.db.insertInto('log_entries').values({ task_id: task.id, level: 'INFO', message }).execute()
  await line('one')
  await line('two')
  await line('three')
  const { run } = await commandLine()
  const { out } = await run('logs Talker --lines 2', { env })
  expect(
    out
      .trim()
      .split('\n')
      .map((row) => row.split(' ').at(-1)),
  ).toEqual(['two', 'three'])
  const leave = new AbortController()
  const shown = Promise.withResolvers<void>()
  const onOutput = (text: string) => {
    if (text.includes('three')) shown.resolve()
    if (text.includes('four')) leave.abort()
  }
  const following = run('logs Talker --follow --json', { env, signal: leave.signal, onOutput })
  await shown.promise
  await line('four')
  const followed = await following
  expect(followed.exit).toBe(0)
  const said = followed.out
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row).message)
  expect(said).toEqual(['one', 'two', 'three', 'four'])
})

test('an export can be imported unchanged; rejected rows are listed, and files are not overwritten', async () => {
  const { run, home } = await commandLine()
  await site.db.deleteFrom('tasks').where('name', 'like', 'Broken%').execute()
  await aType(site.db, { name: 'Origins', category: 'source' })
  for (const kind of ['sync-tasks', 'source-tasks', 'sync-types', 'source-types', 'configurations']) {
    const file = join(home, `${kind}.csv`)
    expect(await run(['export', kind, file], { env }), kind).toMatchObject({ exit: 0 })
    expect((await run(['export', kind, file], { env })).exit).toBe(2)
    expect(await run(['import', kind, file], { env }), kind).toMatchObject({ exit: 0, err: '' })
  }
  const bad = join(home, 'bad.csv')
  await writeFile(bad, 'name,chunk_size\nGood,100\nBad,none\n')
  const refused = await run(['import', 'sync-types', bad], { env })
  expect(refused).toMatchObject({ exit: 1, err: expect.stringMatching(/^row 3: /) })
  expect((await run(['export', 'sync-types'], { env })).out).toContain('Good')
  expect((await run(['import', 'sync-types', join(home, 'no.csv')], { env })).exit).toBe(2)
  expect((await run('import presets x.csv', { env })).exit).toBe(2)
  expect(await run(['export', 'sync-types', join(home, 'no-folder/x.csv')], { env })).toMatchObject({
    exit: 7,
    err: expect.stringContaining('ENOENT'),
  })
})

test('an invalid command line has a usage error; help lists all commands', async () => {
  const { run } = await commandLine()
  for (const line of [
    'fly',
    'run',
    'tasks x',
    'tasks --colour',
    'tasks --category cats',
    'run 1 --wait --timeout x',
  ])
    expect((await run(line, { env })).exit, line).toBe(2)
  expect((await run('help')).out).toContain('compile CONFIG')
  expect((await run('run --help', { env })).out).toContain('--timeout SECONDS')
})
