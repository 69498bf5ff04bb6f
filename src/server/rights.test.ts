import { beforeAll, expect, test } from 'vitest'
import type { SignedIn, TestApp } from '../../test/fixtures/app.ts'
import { anywhere, declaredCalls, titleOf } from '../../test/fixtures/declared-calls.ts'
import { aToken, withToken } from '../../test/fixtures/tokens.ts'
import { type Call, Right, rightFor } from '../contract/calls.ts'

let site: TestApp
let ada: SignedIn
let calls: Call[]

beforeAll(async () => {
  ;({ site, ada, calls } = await declaredCalls())
})

const needing = (needed: ReturnType<typeof rightFor>) =>
  calls.filter((call) => rightFor(call) === needed).map(titleOf)

// Calls that start and stop runs, and calls for users only, must be listed here as well; for others the method
// decides: reads need `read`, changes `edit`.
test('tokens with the right to run can start and stop, and change nothing else', () => {
  expect(needing('run').toSorted()).toEqual([
    'POST /api/approvals/:id/approve',
    'POST /api/approvals/:id/reject',
    'POST /api/compiler/compile',
    'POST /api/compiler/configs/:id/stop',
    'POST /api/pipeline/run',
    'POST /api/previews',
    'POST /api/source_schedule/trigger_all',
    'POST /api/source_schedule/trigger_task/:id',
    'POST /api/source_schedule/trigger_type/:id',
    'POST /api/source_task_types/:id/run_group',
    'POST /api/source_task_types/:id/stop_group',
    'POST /api/source_tasks/reset_running_status',
    'POST /api/source_tasks/run_untyped_group',
    'POST /api/source_tasks/stop/:id',
    'POST /api/source_tasks/stop_all',
    'POST /api/source_tasks/stop_untyped_group',
    'POST /api/sync_task_types/:id/run_group',
    'POST /api/sync_task_types/:id/stop_group',
    'POST /api/sync_tasks/:id/execute',
    'POST /api/sync_tasks/:id/preview',
    'POST /api/sync_tasks/:id/undo',
    'POST /api/sync_tasks/:id/versions/:version/restore',
    'POST /api/sync_tasks/apply_plans',
    'POST /api/sync_tasks/execute_all',
    'POST /api/sync_tasks/reset_running_status',
    'POST /api/sync_tasks/stop/:id',
    'POST /api/sync_tasks/stop_all',
    'POST /api/tasks/bulk',
    'POST /api/unified_task_types/:id/run_group',
    'POST /api/unified_task_types/:id/stop_group',
  ])
})

test('users, shared accounts, tokens, secrets and hosts cannot be changed with a token', () => {
  expect(needing('person').toSorted()).toEqual([
    'DELETE /api/allowed_hosts',
    'DELETE /api/connections/:id',
    'DELETE /api/tokens/:id',
    'DELETE /api/webhooks/:id',
    'DELETE /dev/logs',
    'GET /api/allowed_hosts',
    'GET /api/connections',
    'GET /api/folders',
    'GET /api/tokens',
    'GET /api/webhooks',
    'GET /auth/callback',
    'GET /auth/login',
    'GET /auth/logout',
    'GET /dev/logs',
    'GET /dev/logs/files',
    'POST /api/allowed_hosts',
    'POST /api/connections',
    'POST /api/connections/test',
    'POST /api/tokens',
    'POST /api/users/:id/disable',
    'POST /api/users/:id/disconnect_google',
    'POST /api/users/me/share_grant',
    'POST /api/visits',
    'POST /api/webhooks',
    'POST /api/webhooks/:id/test',
    'PUT /api/connections/:id',
    'PUT /api/folders/:name',
    'PUT /api/service_account',
    'PUT /api/webhooks/:id',
  ])
})

test('a token is limited to its right at every call, regardless of its owner', async () => {
  for (const right of Right.options) {
    const send = withToken(site.app, await aToken(ada, right))
    for (const call of calls) {
      // Does not wait for streams, and stops at the permission check.
      const needed = rightFor(call)
      if (needed !== 'person' && Right.options.indexOf(needed) <= Right.options.indexOf(right)) continue
      const reply = await send(call.method, anywhere(call))
      expect(reply.statusCode, `${titleOf(call)} with ${right}`).toBe(403)
    }
  }
})

test('a token with the right to read reads all data and the API documentation', async () => {
  const send = withToken(site.app, await aToken(ada, 'read', 'Reader'))
  const looks = calls.filter((call) => rightFor(call) === 'read' && !call.events && call.access !== 'public')
  expect(looks.length).toBeGreaterThan(40)
  for (const call of looks) {
    const { statusCode } = await send(call.method, anywhere(call))
    expect([200, 400, 404], titleOf(call)).toContain(statusCode)
  }
  expect((await send('GET', '/api/docs/json')).statusCode).toBe(200)
})
