import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/fixtures/app.ts'
import { aPlan } from '../../test/fixtures/copy-plans.ts'
import { done, handlerOf, handlersByName, startEngine } from '../../test/fixtures/engine.ts'
import { aConfig, aRun, aSourceTask, aSyncTask } from '../../test/fixtures/factories.ts'
import { compileReceipt } from '../../test/fixtures/receipts.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { aVersion } from '../../test/fixtures/versions.ts'
import { withWaitingRows } from '../../test/fixtures/waiting-rows.ts'
import { commandLine } from '../../test/processes/command-line.ts'
import { commands } from './commands.ts'

let site: TestApp
let env: { ROWFERRY_URL: string; ROWFERRY_TOKEN: string }

beforeAll(async () => {
  const handlers = [
    ...handlersByName(
      () => site.db,
      async (_name, { db, run }) => {
        if (isPreview(run)) await aPlan(db, run)
        return done
      },
    ),
    handlerOf(async () => ({ message: 'Done', receipt: compileReceipt }), { category: 'compiler' }),
  ]
  site = await testApp({ handlers })
  await startEngine(site.database, handlers)
  const ROWFERRY_TOKEN = await aToken(await site.signIn(), 'edit')
  env = { ROWFERRY_URL: await site.app.listen({ host: '127.0.0.1', port: 0 }), ROWFERRY_TOKEN }
})

const isPreview = ({ definition }: { definition: unknown }) =>
  JSON.stringify(definition).includes('"preview":true')

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** The table of JSON shapes in the documentation: the keys that it names for each command. */
async function documentedKeys(): Promise<Map<string, string[]>> {
  const text = await readFile(join(import.meta.dirname, '../../docs/command-line.md'), 'utf8')
  const [, section = ''] = text.split('## JSON')
  const rows = section.matchAll(/^\| `([a-z]+)[^|]*` \| `[[{]+([^\]}`]*)/gm)
  return new Map([...rows].map(([, name = '', keys = '']) => [name, keys.split(', ').filter(Boolean)]))
}

test('every command prints JSON and nothing else with --json, with the keys that the documentation names', async () => {
  const definition = { target_ss_id: 'x'.repeat(20), target_place: '7' }
  const task = await aSyncTask(site.db, { name: 'Prices', definition })
  await aConfig(site.db, { name: 'Shop' })
  await aSourceTask(site.db, { name: 'Supplier' })
  await site.db
    .insertInto('log_entries')
    .values({ task_id: task.id, level: 'INFO', message: 'one' })
    .execute()
  await site.db.insertInto('ready_by').values({ task_id: task.id, ready_by: '07:00' }).execute()
  for (const name of ['Waiting', 'Waiting, too']) await withWaitingRows(site.db, name)
  const version = await aVersion(site.db, task.id)
  const { run, home } = await commandLine()
  const file = join(home, 'types.csv')
  const lines: Record<string, string[]> = {
    login: ['login', env.ROWFERRY_URL],
    status: ['status'],
    tasks: ['tasks'],
    types: ['types'],
    run: ['run', 'Prices', '--wait'],
    preview: ['preview', 'Prices'],
    plan: ['plan', String(version)],
    versions: ['versions', 'Prices'],
    undo: ['undo', 'Prices', '--edits'],
    restore: ['restore', 'Prices', String(version)],
    limits: ['limits', 'Prices', '--removed-rows', '80%'],
    compile: ['compile', 'Shop'],
    stop: ['stop', 'Prices'],
    logs: ['logs', 'Prices', '--lines', '1'],
    ready: ['ready'],
    favourites: ['favourites', 'add', 'Prices'],
    views: ['views', 'save', 'Broken', 'status=Failed', '--list', 'sync'],
    where: ['where', `https://docs.google.com/spreadsheets/d/${'x'.repeat(20)}/edit#gid=7&range=B2`],
    columns: ['columns', 'Waiting'],
    decisions: ['decisions', 'Shop'],
    completeness: ['completeness'],
    approvals: ['approvals'],
    approve: ['approve', 'Waiting'],
    reject: ['reject', 'Waiting, too'],
    export: ['export', 'sync-types', file],
    import: ['import', 'sync-types', file],
    upload: ['upload', 'Supplier', file],
    files: ['files', 'Supplier'],
    csv: ['csv', 'Supplier', '--delimiter', 'semicolon'],
    mcp: ['mcp'],
    completion: ['completion', 'zsh'],
    help: ['help', 'run'],
    logout: ['logout'],
  }
  expect(Object.keys(lines)).toEqual(expect.arrayContaining(Object.keys(commands)))
  const documented = await documentedKeys()
  for (const [name, line] of Object.entries(lines)) {
    const { exit, out, err } = await run([...line, '--json'], {
      env,
      input: name === 'mcp' ? PING : env.ROWFERRY_TOKEN,
    })
    expect([name, exit, err]).toEqual([name, 0, ''])
    const value = JSON.parse(out)
    // No task here names what is complete for it.
    if (name === 'completeness' && value.length === 0) continue
    const one = Array.isArray(value) ? value[0] : value
    expect([name, Object.keys(one)]).toEqual([
      name,
      expect.arrayContaining(documented.get(name) ?? ['undocumented']),
    ])
  }
  expect(JSON.parse((await run(['export', 'sync-types', '--json'], { env })).out)).toEqual({
    file: null,
    csv: (await readFile(file, 'utf8')).replace('\ufeff', ''),
  })
  expect(JSON.parse((await run('tasks --help --json', { env })).out).commands).toHaveLength(1)
})

test('each kind of failure is JSON with its exit status, also an interrupt', async () => {
  const { run, home } = await commandLine()
  const failed = async (
    line: string | string[],
    more: { signal?: AbortSignal; env?: Record<string, string> } = {},
  ) => {
    const { exit, out, err } = await run(line, { env, isTerminal: true, ...more })
    expect(out).toBe('')
    expect(JSON.parse(err)).toMatchObject({ exit, message: expect.stringMatching(/./) })
    return [JSON.parse(err).code, exit]
  }
  expect(await failed('fly --json')).toEqual(['usage', 2])
  expect(await failed('tasks --colour --json')).toEqual(['usage', 2])
  expect(await failed('tasks --json', { env: { ...env, ROWFERRY_URL: 'http://127.0.0.1:9' } })).toEqual([
    'no_answer',
    5,
  ])
  expect(await failed(['export', 'sync-types', join(home, 'none/x.csv'), '--json'])).toEqual([
    'not_written',
    7,
  ])
  expect(await failed('tasks --json', { signal: AbortSignal.abort() })).toEqual(['interrupted', 130])
})

test('people read times on the clock of their machine, with its zone; JSON has them in UTC', async () => {
  const task = await aSyncTask(site.db, { name: 'Nightly' })
  const finished_at = new Date('2026-11-20T09:19:12Z')
  await aRun(site.db, task.id, { state: 'failed', error: 'No such tab.', finished_at })
  await site.db
    .insertInto('log_entries')
    .values({
      task_id: task.id,
      level: 'INFO',
      message: 'one line',
      created_at: new Date('2026-07-20T09:19:12Z'),
    })
    .execute()
  const { run } = await commandLine()
  const read = async (line: string, zone: string) => (await run(line, { env, zone })).out
  expect(await read('status', 'Europe/Berlin')).toContain('2026-11-20 10:19:12 GMT+1')
  expect(await read('status', 'America/New_York')).toContain('2026-11-20 04:19:12 EST')
  expect(await read('logs Nightly', 'America/New_York')).toContain('2026-07-20 05:19:12 EDT')
  expect(await read('status', 'America/New_York')).not.toContain(finished_at.toISOString())
  expect(await read('status --json', 'America/New_York')).toContain(finished_at.toISOString())
  expect(await read('logs Nightly --json', 'America/New_York')).toContain('2026-07-20T09:19:12.000Z')
})
