import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../test/fixtures/app.ts'
import { aSyncTask } from '../../test/fixtures/factories.ts'
import { agentOn } from '../../test/fixtures/mcp.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'
import { tokens } from '../contract/tokens/calls.ts'
import { tokenMessages } from '../contract/tokens/client-messages.ts'

let site: TestApp
let ada: SignedIn
let url: string

beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
  url = await site.app.listen({ host: '127.0.0.1', port: 0 })
})

const bin = join(import.meta.dirname, 'rowferry.mjs')

/** The SDK's client on the standard input and output of `rowferry mcp`. */
const spawned = (token: string) =>
  agentOn((client) =>
    client.connect(
      new StdioClientTransport({
        command: bin,
        args: ['mcp'],
        env: { PATH: process.env.PATH ?? '', ROWFERRY_URL: url, ROWFERRY_TOKEN: token },
      }),
    ),
  )

test('rowferry mcp serves an agent with the tools of its token', async () => {
  const task = await aSyncTask(site.db, { name: 'Prices' })
  const agent = await spawned(await aToken(ada, 'run'))
  const { tools } = await agent.client.listTools()
  expect(tools.map(({ name }) => name)).toContain('run_task')
  const answers = await Promise.all([
    agent.call('list_tasks', { search: 'prices' }),
    agent.call('run_task', { category: 'sync', id: task.id }),
  ])
  expect(answers[0]?.json).toMatchObject({ tasks: [{ id: task.id, name: '<data>Prices</data>' }] })
  expect(answers[1]?.json).toMatchObject({ status: 'success', state: 'queued' })
})

test('a token that was revoked, and a server that is away, are errors of the message and do not end the command', async () => {
  const reply = await ada.request('POST', '/api/tokens', { name: 'Short', right: 'read', expires_in_days: 1 })
  const { id, token } = tokens.create.reply.parse(reply.json())
  const agent = await spawned(token)
  expect((await agent.call('status')).is_error).toBe(false)
  await ada.request('DELETE', `/api/tokens/${id}`)
  for (let times = 0; times < 2; times += 1)
    await expect(agent.call('status')).rejects.toThrow(tokenMessages.invalid)

  const { run } = await commandLine()
  const messages = [
    '{"jsonrpc":"2.0","id":7,"method":"ping"}',
    'not JSON',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '',
  ]
  const env = { ROWFERRY_URL: 'http://127.0.0.1:9', ROWFERRY_TOKEN: token }
  const { exit, out, err } = await run('mcp', { env, input: messages.join('\n') })
  expect(exit).toBe(0)
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toEqual([
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: expect.any(String) } },
    {
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32_000, message: expect.stringContaining('does not answer'), data: { status: 0 } },
    },
  ])
  expect(err).toContain('does not answer')
})

test('rowferry mcp ends when its agent closes the input, and with Ctrl-C', async () => {
  const env = { ROWFERRY_URL: url, ROWFERRY_TOKEN: await aToken(ada, 'read', 'Ends') }
  const { run } = await commandLine()
  expect(await run('mcp', { env, input: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' })).toEqual({
    exit: 0,
    out: '{"jsonrpc":"2.0","result":{},"id":1}\n',
    err: '',
  })
  expect((await run('mcp', { env: {} })).exit).toBe(2)
  const waiting = spawn(bin, ['mcp'], { env: { ...process.env, ...env } })
  waiting.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  await once(waiting.stdout, 'data')
  waiting.kill('SIGINT')
  expect(await once(waiting, 'exit')).toEqual([0, null])
})
