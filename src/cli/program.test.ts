import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/fixtures/app.ts'
import { handlerOf, startEngine } from '../../test/fixtures/engine.ts'
import { aSyncTask } from '../../test/fixtures/factories.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { startProcess, until } from '../../test/processes/processes.ts'
import { RunFailure } from '../server/engine/types.ts'

const handlers = [
  handlerOf(async () => {
    throw new RunFailure('No permission.', { retryable: false })
  }),
]

let site: TestApp
let env: { ROWFERRY_URL: string; ROWFERRY_TOKEN: string }

beforeAll(async () => {
  site = await testApp({ handlers })
  const ROWFERRY_TOKEN = await aToken(await site.signIn(), 'edit', 'Command line')
  env = { ROWFERRY_URL: await site.app.listen({ host: '127.0.0.1', port: 0 }), ROWFERRY_TOKEN }
})

const bin = join(import.meta.dirname, 'rowferry.mjs')

async function start(command: string, args: string[]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  const [out, err, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { out, err, exit }
}

/** Exit status of the first program of a pipe. */
const firstOf = (pipe: string) => start('bash', ['-c', `${pipe}; exit \${PIPESTATUS[0]}`])

test('a closed pipe is not an error and does not change the exit status of a run', async () => {
  const task = await aSyncTask(site.db, { name: 'Piped' })
  await site.db
    .insertInto('log_entries')
    .values({ task_id: task.id, level: 'INFO', message: 'one line' })
    .execute()
  const followed = firstOf(`${bin} logs Piped --follow | head -1`)
  // A closed pipe is noticed only at the next write.
  let ended = false
  void followed.then(() => {
    ended = true
  })
  await until('the pipe is closed', async () => {
    await site.db
      .insertInto('log_entries')
      .values({ task_id: task.id, level: 'INFO', message: 'another line' })
      .execute()
    return ended
  })
  expect(await followed).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/^.* (one|another) line\n$/),
    err: '',
  })
  await aSyncTask(site.db, { name: 'Refused' })
  await startEngine(site.database, handlers)
  expect(await firstOf(`${bin} run Refused --wait | true`)).toMatchObject({ exit: 1 })
})

test('output that cannot be written is an error', async () => {
  for (const line of ['tasks', 'status --json', 'export sync-types'])
    expect(await start('bash', ['-c', `${bin} ${line} > /dev/full`]), line).toMatchObject({
      exit: 7,
      err: expect.stringContaining('no space left on device'),
    })
  expect((await start('bash', ['-c', `${bin} fly 2> /dev/full`])).exit).toBe(2)
})

test('Ctrl-C ends a followed log with status 0; a run continues after Ctrl-C during --wait', async () => {
  const task = await aSyncTask(site.db, { name: 'Interrupted' })
  await site.db
    .insertInto('log_entries')
    .values({ task_id: task.id, level: 'INFO', message: 'one line' })
    .execute()
  const follow = startProcess(bin, ['logs', 'Interrupted', '--follow'], env)
  await follow.printed(/one line/)
  expect(await follow.end('SIGINT')).toEqual({ code: 0, signal: null })
  const wait = startProcess(bin, ['run', 'Interrupted', '--wait'], env)
  await expect
    .poll(() => site.db.selectFrom('runs').select('state').where('task_id', '=', task.id).execute())
    .toEqual([{ state: 'queued' }])
  expect(await wait.end('SIGINT')).toEqual({ code: 130, signal: null })
  expect(wait.output()).toContain('continues')
})

test('the installed program: exit status, and completion in bash and zsh', async () => {
  expect(await start(bin, ['types', '--json'])).toMatchObject({ exit: 0, err: '' })
  expect((await start(bin, ['fly'])).exit).toBe(2)
  const complete = (words: string) =>
    `source <(${bin} completion bash); COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _rowferry; echo "\${COMPREPLY[@]}"`
  expect((await start('bash', ['-c', complete('rowferry co')])).out).toBe(
    'compile completeness columns completion\n',
  )
  expect((await start('bash', ['-c', complete('rowferry run --w')])).out).toBe('--wait\n')
  expect((await start('bash', ['-c', complete('rowferry tasks --category s')])).out).toBe('sync source\n')
  expect((await start(bin, ['completion', 'zsh'])).out).toContain('bashcompinit')
})
