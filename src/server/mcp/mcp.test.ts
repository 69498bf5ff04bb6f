import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../test/fixtures/app.ts'
import { done, handlerOf, handlersByName, startEngine } from '../../../test/fixtures/engine.ts'
import { aConfig, aRun, aSourceTask, aSyncTask, aType } from '../../../test/fixtures/factories.ts'
import { anAgent } from '../../../test/fixtures/mcp.ts'
import { compileReceipt } from '../../../test/fixtures/receipts.ts'
import { aToken } from '../../../test/fixtures/tokens.ts'
import { mcpMessages } from '../../contract/mcp/server-messages.ts'
import { tokens } from '../../contract/tokens/calls.ts'
import { tokenMessages } from '../../contract/tokens/client-messages.ts'

const handlers = [
  ...handlersByName(
    () => site.db,
    async () => done,
  ),
  handlerOf(async () => ({ message: 'Done', receipt: compileReceipt }), { category: 'compiler' }),
]

let site: TestApp
let ada: SignedIn
let url: string

beforeAll(async () => {
  site = await testApp({ handlers })
  ada = await site.signIn()
  url = await site.app.listen({ host: '127.0.0.1', port: 0 })
})

const marked = (text: string) => `<data>${text}</data>`
const READS = [
  'status',
  'explain_failure',
  'list_tasks',
  'list_runs',
  'get_run',
  'run_logs',
  'quality',
  'cell_lineage',
  'source_file',
  'get_plan',
]

describe('tools', () => {
  test('a token lists the tools that its right permits, and none that edits or deletes', async () => {
    const namesFor = async (right: 'read' | 'run' | 'edit') => {
      const { client } = await anAgent(url, await aToken(ada, right, `Lists ${right}`))
      expect(client.getInstructions()).toBe(mcpMessages.instructions)
      const { tools } = await client.listTools()
      return tools.map(({ name }) => name)
    }
    expect(await namesFor('read')).toEqual(READS)
    expect(await namesFor('run')).toEqual([...READS, 'preview_task', 'run_task', 'stop_task'])
    expect(await namesFor('edit')).toEqual([...READS, 'preview_task', 'run_task', 'stop_task'])
  })

  test('they answer what the calls do: status, a failure, tasks, runs, a log, quality', async () => {
    const agent = await anAgent(url, await aToken(ada, 'read', 'Reads all'))
    const type = await aType(site.db, { name: 'Prices' })
    const broken = await aSyncTask(site.db, { name: 'Broken copy', task_type_id: type.id })
    const other = await aSyncTask(site.db, { name: 'Other copy', task_type_id: type.id })
    const source = await aSourceTask(site.db, { name: 'Stock' })
    const config = await aConfig(site.db, { name: 'Shop' })
    const finished_at = new Date()
    const failure = { state: 'failed' as const, error: 'No such tab.', queued_at: finished_at, finished_at }
    const run = await aRun(site.db, broken.id, { ...failure, task_name: 'Broken copy' })
    await aRun(site.db, other.id, failure)
    await site.db
      .insertInto('log_entries')
      .values([
        { task_id: broken.id, run_id: run.id, level: 'INFO', message: 'Reads', created_at: finished_at },
        {
          task_id: broken.id,
          run_id: run.id,
          level: 'ERROR',
          message: 'No such tab.',
          created_at: finished_at,
        },
        {
          task_id: broken.id,
          level: 'INFO',
          message: 'Of an earlier run',
          created_at: new Date(finished_at.getTime() - 86_400_000),
        },
      ])
      .execute()

    expect((await agent.call('status')).json).toMatchObject({
      tasks: { sync: { failed: 2 } },
      needs_attention: {
        tasks: 2,
        by_kind: { failed: 2 },
        first: expect.arrayContaining([
          {
            claimed_by: null,
            kind: 'failed',
            since: finished_at.toISOString(),
            task: { category: 'sync', id: broken.id, name: marked('Broken copy'), type: marked('Prices') },
            reason: marked('No such tab.'),
          },
        ]),
      },
    })
    const ownership = { tags: ['Shop'], notes: 'Ask Bea' }
    await ada.request('PUT', `/api/sync_tasks/${broken.id}`, ownership)
    expect((await agent.call('explain_failure', { category: 'sync', id: broken.id })).json).toMatchObject({
      task: { owner: null, tags: [marked('Shop')], notes: marked('Ask Bea') },
      last_run: { run: run.id, state: 'failed', error: marked('No such tab.') },
      log: [
        { level: 'INFO', message: marked('Reads') },
        { level: 'ERROR', message: marked('No such tab.') },
      ],
      last_success: null,
      other_tasks_with_this_error: 1,
    })
    expect((await agent.call('list_tasks')).json).toMatchObject({
      tasks: [
        { category: 'source', id: source.id, name: marked('Stock'), state: 'never_run' },
        { category: 'compiler', id: config.id, name: marked('Shop') },
        { category: 'sync', id: broken.id, state: 'failed', owner: null, tags: [marked('Shop')] },
        { category: 'sync', id: other.id, state: 'failed' },
      ],
      next_offset: null,
    })
    const searched = await agent.call('list_tasks', { search: 'COPY', limit: 1, offset: 1 })
    expect(searched.json).toMatchObject({ tasks: [{ id: other.id }], next_offset: null })
    const first = await agent.call('list_tasks', { state: 'failed', limit: 1 })
    expect(first.json).toMatchObject({ tasks: [{ id: broken.id }], next_offset: 1 })
    expect((await agent.call('get_run', { run: run.id })).json).toMatchObject({
      run: { task: { id: broken.id, name: marked('Broken copy') }, error: marked('No such tab.') },
    })
    expect((await agent.call('run_logs', { run: run.id, limit: 1 })).json).toMatchObject({
      lines: [{ level: 'ERROR' }],
      earlier_lines: 1,
    })
    expect((await agent.call('quality', { config_id: config.id })).json).toMatchObject({
      records: 0,
      findings: [],
      next_offset: null,
    })
  })

  test('runs are searched and paged to their end', async () => {
    const agent = await anAgent(url, await aToken(ada, 'read', 'Pages'))
    const task = await aSyncTask(site.db, { name: 'Paged' })
    const ids: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const error = n % 2 === 0 ? 'Quota of the project is used up' : 'No such tab'
      const ended = { state: 'failed' as const, task_name: 'Paged', error, finished_at: new Date() }
      ids.unshift((await aRun(site.db, task.id, ended)).id)
    }
    const seen: number[] = []
    let cursor: number | null | undefined
    while (cursor !== null) {
      const { json } = await agent.call('list_runs', {
        search: 'quota of',
        limit: 2,
        ...(cursor && { cursor }),
      })
      const page = json as { runs: { run: number }[]; next_cursor: number | null }
      seen.push(...page.runs.map(({ run }) => run))
      cursor = page.next_cursor
    }
    expect(seen).toEqual([ids[0], ids[2], ids[4]])
    expect((await agent.call('list_runs', { category: 'sync', id: task.id, limit: 1 })).json).toMatchObject({
      runs: [{ run: ids[0] }],
      next_cursor: ids[0],
    })
    expect(await agent.call('list_runs', { id: task.id })).toMatchObject({
      is_error: true,
      json: { message: marked(mcpMessages.id_without_category) },
    })
  })

  test('run and stop have the effect of the calls with a token that may run, and are recorded under its name', async () => {
    const agent = await anAgent(url, await aToken(ada, 'run', 'Nightly agent'))
    const task = await aSyncTask(site.db, { name: 'Runs' })
    const source = await aSourceTask(site.db, { name: 'Reads' })
    const config = await aConfig(site.db, { name: 'Compiles' })
    const stopped = await aSyncTask(site.db, { name: 'Stops' })
    expect((await agent.call('run_task', { category: 'sync', id: stopped.id })).is_error).toBe(false)
    expect((await agent.call('stop_task', { category: 'sync', id: stopped.id })).json).toMatchObject({
      status: 'success',
    })
    await startEngine(site.database, handlers)
    const { json } = await agent.call('run_task', { category: 'sync', id: task.id })
    const { run } = json as { run: number }
    expect((await agent.call('get_run', { run, wait_seconds: 30 })).json).toMatchObject({
      run: { state: 'success', triggered_by: expect.stringContaining('Nightly agent') },
    })
    for (const ref of [
      { category: 'source', id: source.id },
      { category: 'compiler', id: config.id },
    ])
      expect((await agent.call('run_task', ref)).json, ref.category).toMatchObject({ status: 'success' })
    const preview = (await agent.call('preview_task', { id: task.id })).json as { run: number }
    expect(preview).toMatchObject({ state: 'queued', plan: null })
    expect((await agent.call('get_run', { run: preview.run, wait_seconds: 30 })).json).toMatchObject({
      run: { state: 'success', triggered_by: expect.stringContaining('Nightly agent') },
    })
  })
})

describe('refusals', () => {
  test('an unknown tool, id, argument or value is reported with a message of Rowferry', async () => {
    const agent = await anAgent(url, await aToken(ada, 'read', 'Mistaken'))
    const refused = async (name: string, args?: object) => {
      const { is_error, json } = await agent.call(name, args)
      expect(is_error).toBe(true)
      return json as { error: string; message: string }
    }
    expect(await refused('delete_task', { id: 1 })).toEqual({
      error: marked('unknown_tool'),
      message: marked(mcpMessages.unknown_tool(READS)),
    })
    expect(await refused('get_run', { run: 999_999 })).toMatchObject({ error: marked('run_not_found') })
    for (const category of ['sync', 'source', 'compiler'])
      expect((await refused('explain_failure', { category, id: 999_999 })).error).toContain('not_found')
    expect((await refused('list_tasks', { colour: 'red' })).message).toContain('Unknown field: colour')
    expect((await refused('get_plan', { run: 999_999 })).error).toContain('not_found')
    expect((await refused('list_tasks', { limit: 5_000 })).message).toContain('limit')
    expect((await refused('explain_failure')).message).toContain('category')
    expect((await refused('list_runs', { from: 'yesterday' })).message).toContain('from')
    await expect(agent.client.listResources()).rejects.toThrow()
  })

  test('a token that may only read starts and stops nothing, even if it calls the tool', async () => {
    const agent = await anAgent(url, await aToken(ada, 'read', 'Tries to run'))
    const task = await aSyncTask(site.db, { name: 'Untouched' })
    expect(await agent.call('preview_task', { id: task.id })).toMatchObject({
      is_error: true,
      json: { error: marked('right_missing') },
    })
    for (const name of ['run_task', 'stop_task'])
      expect(await agent.call(name, { category: 'sync', id: task.id })).toMatchObject({
        is_error: true,
        json: { error: marked('right_missing'), message: marked(tokenMessages.right_missing('run')) },
      })
    const runs = await site.db.selectFrom('runs').select('id').where('task_id', '=', task.id).execute()
    expect(runs).toEqual([])
  })

  test('a token that is revoked is refused from the next message on', async () => {
    const reply = await ada.request('POST', '/api/tokens', {
      name: 'Short',
      right: 'read',
      expires_in_days: 1,
    })
    const { id, token } = tokens.create.reply.parse(reply.json())
    const agent = await anAgent(url, token)
    expect((await agent.call('status')).json).toHaveProperty('tasks')
    await ada.request('DELETE', `/api/tokens/${id}`)
    await expect(agent.call('status')).rejects.toMatchObject({ code: 401 })
  })
})

describe('the endpoint', () => {
  let token: string
  beforeAll(async () => {
    token = await aToken(ada, 'read', 'Endpoint')
  })
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const post = (payload: object | string, headers: Record<string, string> = {}) =>
    site.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      payload,
    })

  test('takes tokens only: a session with its anti-forgery header is refused', async () => {
    const { authorization: _, ...nothing } = ada.headers as Record<string, string>
    const reply = await site.app.inject({ method: 'POST', url: '/mcp', headers: nothing, payload: ping })
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'token_wanted'])
    const both = await post(ping, { ...ada.headers, authorization: 'Bearer rowferry_x' })
    expect([both.statusCode, both.json().code]).toEqual([401, 'token_invalid'])
  })

  test('refuses requests of other sites, also with DNS rebinding', async () => {
    for (const origin of ['https://evil.example', 'http://rebound.example:3000', 'null'])
      expect((await post(ping, { origin })).json(), origin).toMatchObject({ code: 'origin_foreign' })
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:6274'])
      expect((await post(ping, { origin })).statusCode, origin).toBe(200)
  })

  test('with PUBLIC_URL only its own name is served', async () => {
    const named = await testApp({ env: { PUBLIC_URL: 'https://rowferry.example.com' } })
    const reply = await named.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { host: 'rebound.example' },
      payload: ping,
    })
    expect(reply.json().code).toBe('host_unknown')
  })

  test('answers other methods with 405, notifications with 202 and broken messages with the error of the API', async () => {
    const authorization = `Bearer ${token}`
    for (const method of ['GET', 'DELETE'] as const) {
      const reply = await site.app.inject({ method, url: '/mcp', headers: { authorization } })
      expect([reply.statusCode, reply.headers.allow]).toEqual([405, 'POST'])
    }
    const notified = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([notified.statusCode, notified.body]).toEqual([202, ''])
    expect((await post('{"jsonrpc"')).json()).toMatchObject({ code: 'body_not_json' })
    expect((await post([ping, ping])).json()).toMatchObject({ code: 'invalid' })
    expect((await post({ ...ping, jsonrpc: '1.0' })).json()).toMatchObject({
      code: 'invalid',
      field: 'jsonrpc',
    })
    expect((await post({ ...ping, id: {} })).json()).toMatchObject({ code: 'invalid', field: 'id' })
    expect((await post(ping, { 'mcp-protocol-version': '1999-01-01' })).json()).toMatchObject({
      code: 'invalid',
      field: 'MCP-Protocol-Version',
    })
    expect((await post({ ...ping, params: { text: 'x'.repeat(1_100_000) } })).statusCode).toBe(413)
    expect((await post(ping)).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    const wellKnown = await site.app.inject({ url: '/.well-known/oauth-protected-resource' })
    expect(wellKnown.statusCode).toBe(404)
  })

  test('no message of a library reaches the agent', async () => {
    const errorOf = async (message: object) => (await post({ ...ping, ...message })).json().error
    expect(await errorOf({ method: 'resources/list' })).toEqual({
      code: -32_601,
      message: mcpMessages.unknown_method,
    })
    for (const params of [
      {},
      { name: 5 },
      { name: 'status', arguments: [] },
      { name: 'status', arguments: 'x' },
    ])
      expect(await errorOf({ method: 'tools/call', params })).toEqual({
        code: expect.any(Number),
        message: mcpMessages.invalid_request,
      })
    expect(await errorOf({ method: 'initialize', params: { protocolVersion: 1 } })).toMatchObject({
      message: mcpMessages.invalid_request,
    })
  })

  test('an agent that disconnects occupies no slot of waiting requests', async () => {
    const task = await aSyncTask(site.db)
    const run = await aRun(site.db, task.id)
    const leave = new AbortController()
    const waiting = fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...ping,
        method: 'tools/call',
        params: { name: 'get_run', arguments: { run: run.id, wait_seconds: 50 } },
      }),
      signal: leave.signal,
    })
    await expect.poll(() => site.app.http.waits.open).toBe(1)
    leave.abort()
    await expect(waiting).rejects.toThrow()
    await expect.poll(() => site.app.http.waits.open, { timeout: 25_000 }).toBe(0)
    expect(site.logs()).not.toContain('A tool failed')
  })

  test('its messages count against the limit of the token', async () => {
    const limited = await testApp({
      rateLimits: { strict_per_minute: 1_000, general_per_10_seconds: 1_000, token_per_minute: 5 },
    })
    const authorization = `Bearer ${await aToken(await limited.signIn(), 'read')}`
    const send = () =>
      limited.app.inject({ method: 'POST', url: '/mcp', headers: { authorization }, payload: ping })
    for (let n = 0; n < 5; n += 1) expect((await send()).statusCode).toBe(200)
    const reply = await send()
    expect([reply.statusCode, reply.json().code]).toEqual([429, 'too_many_requests'])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })
})
