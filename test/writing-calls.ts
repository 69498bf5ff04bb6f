import type { Call } from '../src/contract/calls.ts'
import type { SignedIn, TestApp } from './app.ts'
import { anywhere, titleOf } from './declared-calls.ts'
import { aConfig, aRun, aSourceTask, aSyncTask, aSyncTaskBody, aType } from './factories.ts'
import { aSourceTaskBody } from './source-tasks.ts'

type Given = { site: TestApp; ada: SignedIn }
type Ask = { id?: number | undefined; query?: Record<string, string>; body?: object }

let serial = 0
const aName = () => {
  serial += 1
  return `written-${serial}`
}

const type = async ({ site: { db } }: Given) => (await aType(db)).id
const sourceType = async ({ site: { db } }: Given) => (await aType(db, { category: 'source' })).id
const syncTask = async ({ site: { db } }: Given) => (await aSyncTask(db)).id
const sourceTask = async ({ site: { db } }: Given) => (await aSourceTask(db)).id
const config = async ({ site: { db } }: Given) => (await aConfig(db)).id
const idOf = (reply: { json: () => { id: number } }) => reply.json().id
const added = async ({ ada }: Given, path: string, body: object) =>
  idOf(await ada.request('POST', path, body))
const webhook = () => ({
  name: aName(),
  format: 'mail',
  kinds: ['failed'],
  categories: [],
  task_type_ids: [],
  tells_end: true,
  quiet_from: null,
  quiet_to: null,
  is_active: true,
  url: 'ops@example.com',
  signing_key: null,
})
const token = () => ({ name: aName(), right: 'read', expires_in_days: 1 })
const preset = () => ({ name: aName(), excluded_fields: ['Cost'] })
const connection = () => ({ name: aName(), settings: { kind: 'api', url: 'https://api.example.com/rows' } })
const at = { scheduled_times: ['05:00'] }

async function withRun({ site: { db } }: Given, of: 'sync' | 'source' | 'compiler'): Promise<number> {
  const { id, task_id } =
    of === 'compiler'
      ? await aConfig(db)
      : await (of === 'sync' ? aSyncTask(db) : aSourceTask(db)).then(({ id }) => ({ id, task_id: id }))
  await aRun(db, task_id, { category: of })
  return id
}

async function typeIds({ site: { db } }: Given, category: 'sync' | 'source'): Promise<object> {
  for (let types = 0; types < 2; types += 1) await aType(db, { category })
  const types = await db
    .selectFrom('task_types')
    .select('id')
    .where('category', '=', category)
    .orderBy('id', 'desc')
    .execute()
  return { order: types.map(({ id }) => id) }
}

async function sectionOf(
  { site: { db } }: Given,
  add: typeof aSyncTask | typeof aSourceTask,
  of: 'sync' | 'source',
) {
  const { id: task_type_id } = await aType(db, { category: of })
  const first = await add(db, { task_type_id })
  const second = await add(db, { task_type_id })
  return [first.id, second.id]
}

/** A request of each of these calls that succeeds, made for the moment at which it is sent. */
const requests: Record<string, (given: Given) => Promise<Ask>> = {
  'POST /api/tasks/bulk': async (given) => ({ body: { action: 'run', ids: [await syncTask(given)] } }),
  'POST /api/allowed_hosts': async () => ({ body: { host: `${aName()}.example.com` } }),
  'DELETE /api/allowed_hosts': async ({ ada }) => {
    const body = { host: `${aName()}.example.com` }
    await ada.request('POST', '/api/allowed_hosts', body)
    return { body }
  },
  'POST /api/compiler/configs': async (given) => {
    const source = await sourceTask(given)
    return { body: { name: aName(), source_task_ids: [source], master_source_id: source } }
  },
  'PUT /api/compiler/configs/:id': async (given) => ({
    id: await config(given),
    body: { name: aName() },
  }),
  'DELETE /api/compiler/configs/:id': async (given) => ({ id: await config(given) }),
  'POST /api/compiler/configs/:id/stop': async (given) => ({ id: await withRun(given, 'compiler') }),
  'DELETE /api/compiler/configs/:id/logs': async (given) => ({ id: await config(given) }),
  'POST /api/connections': async () => ({ body: connection() }),
  'PUT /api/connections/:id': async (given) => ({
    id: await added(given, '/api/connections', connection()),
    body: { name: aName() },
  }),
  'DELETE /api/connections/:id': async (given) => ({
    id: await added(given, '/api/connections', connection()),
  }),
  'POST /api/sync_presets': async () => ({ body: preset() }),
  'PUT /api/sync_presets/:id': async (given) => ({
    id: await added(given, '/api/sync_presets', preset()),
    body: { name: aName() },
  }),
  'DELETE /api/sync_presets/:id': async (given) => ({
    id: await added(given, '/api/sync_presets', preset()),
  }),
  'POST /api/tokens': async () => ({ body: token() }),
  'DELETE /api/tokens/:id': async (given) => ({
    id: await added(given, '/api/tokens', token()),
  }),
  'POST /api/webhooks': async () => ({ body: webhook() }),
  'PUT /api/webhooks/:id': async ({ ada }) => {
    const { id, updated_at } = (await ada.request('POST', '/api/webhooks', webhook())).json()
    return { id, body: { ...webhook(), updated_at } }
  },
  'DELETE /api/webhooks/:id': async (given) => ({ id: await added(given, '/api/webhooks', webhook()) }),
  'POST /api/users/me/share_grant': async () => ({ body: { shares_grant: true } }),
  'POST /api/pipeline/run': async (given) => ({ id: await syncTask(given) }),

  'POST /api/source_schedule/schedule_run_all': async () => ({ body: at }),
  'DELETE /api/source_schedule/schedule_run_all': async () => ({}),
  'POST /api/source_schedule/start': async () => ({ body: { check_interval: 60 } }),
  'POST /api/source_schedule/stop': async () => ({}),
  'POST /api/source_schedule/trigger_all': async () => ({ body: {} }),
  'POST /api/source_schedule/trigger_task/:id': async (given) => ({ id: await sourceTask(given), body: {} }),
  'POST /api/source_schedule/trigger_type/:id': async (given) => ({ id: await sourceType(given), body: {} }),
  'POST /api/source_schedule/update_next_run_times': async () => ({}),

  'POST /api/source_task_types': async () => ({ body: { name: aName(), cron_schedule: '0 2 * * *' } }),
  'PUT /api/source_task_types/:id': async (given) => ({
    id: await sourceType(given),
    body: { cron_schedule: '0 3 * * *' },
  }),
  'DELETE /api/source_task_types/:id': async (given) => ({ id: await sourceType(given) }),
  'PATCH /api/source_task_types/order': async (given) => ({ body: await typeIds(given, 'source') }),
  'POST /api/source_task_types/:id/run_group': async (given) => ({ id: await sourceType(given) }),
  'POST /api/source_task_types/:id/stop_group': async (given) => ({ id: await sourceType(given) }),
  'POST /api/sync_task_types': async () => ({ body: { name: aName() } }),
  'PUT /api/sync_task_types/:id': async (given) => ({ id: await type(given), body: { name: aName() } }),
  'DELETE /api/sync_task_types/:id': async (given) => ({ id: await type(given) }),
  'PATCH /api/sync_task_types/order': async (given) => ({ body: await typeIds(given, 'sync') }),
  'POST /api/sync_task_types/:id/run_group': async (given) => ({ id: await type(given) }),
  'POST /api/sync_task_types/:id/stop_group': async (given) => ({ id: await type(given) }),
  'POST /api/unified_task_types': async () => ({ body: { name: aName(), task_category: 'source' } }),
  'PUT /api/unified_task_types/:id': async (given) => ({ id: await type(given), body: { name: aName() } }),
  'DELETE /api/unified_task_types/:id': async (given) => ({ id: await type(given) }),
  'POST /api/unified_task_types/:id/run_group': async (given) => ({ id: await type(given) }),
  'POST /api/unified_task_types/:id/stop_group': async (given) => ({ id: await type(given) }),

  'POST /api/source_tasks': async () => ({ body: aSourceTaskBody() }),
  'PUT /api/source_tasks/:id': async (given) => ({
    id: await sourceTask(given),
    body: { description: 'Written' },
  }),
  'DELETE /api/source_tasks/:id': async (given) => ({ id: await sourceTask(given) }),
  'DELETE /api/source_tasks/:id/logs': async (given) => ({ id: await sourceTask(given) }),
  'POST /api/source_tasks/:id/toggle_active': async (given) => ({
    id: await sourceTask(given),
    body: { is_active: false },
  }),
  'POST /api/source_tasks/toggle_all_active': async () => ({ body: { target_state: false } }),
  'POST /api/source_tasks/:id/reposition': async (given) => {
    const [, second] = await sectionOf(given, aSourceTask, 'source')
    return { id: second, body: { action: 'front' } }
  },
  'POST /api/source_tasks/reorder': async (given) => ({
    body: { task_ids: (await sectionOf(given, aSourceTask, 'source')).reverse() },
  }),
  'POST /api/source_tasks/reset_running_status': async () => ({}),
  'POST /api/source_tasks/run_untyped_group': async () => ({ body: {} }),
  'POST /api/source_tasks/stop_untyped_group': async () => ({}),
  'POST /api/source_tasks/stop/:id': async (given) => ({ id: await withRun(given, 'source') }),
  'POST /api/source_tasks/stop_all': async () => ({}),

  'POST /api/sync_tasks': async (given) => ({ body: aSyncTaskBody(await type(given)) }),
  'PUT /api/sync_tasks/:id': async (given) => ({ id: await syncTask(given), body: { start_row: 2 } }),
  'DELETE /api/sync_tasks/:id': async (given) => ({ id: await syncTask(given) }),
  'DELETE /api/sync_tasks/:id/logs': async (given) => ({ id: await syncTask(given) }),
  'POST /api/sync_tasks/:id/toggle_active': async (given) => ({
    id: await syncTask(given),
    body: { is_active: false },
  }),
  'POST /api/sync_tasks/toggle_all_active': async () => ({ body: { target_state: false } }),
  'POST /api/sync_tasks/:id/reposition': async (given) => {
    const [, second] = await sectionOf(given, aSyncTask, 'sync')
    return { id: second, body: { action: 'front' } }
  },
  'POST /api/sync_tasks/:id/execute': async (given) => ({ id: await syncTask(given) }),
  'POST /api/sync_tasks/execute_all': async () => ({}),
  'POST /api/sync_tasks/stop/:id': async (given) => ({ id: await withRun(given, 'sync') }),
  'POST /api/sync_tasks/stop_all': async () => ({}),
  'POST /api/sync_tasks/reset_running_status': async () => ({}),
  'POST /api/sync_tasks/schedule_run_all': async () => ({ body: at }),
}

/** A request of a call that succeeds and writes; where none is known, one that at least has an address. */
export async function writingRequest(call: Call, given: Given) {
  const known = requests[titleOf(call)]
  const { id = 1, body, query = {} } = known ? await known(given) : {}
  const url = known ? call.path.replace(':id', String(id)) : anywhere(call)
  return {
    is_known: known !== undefined,
    request: {
      method: call.method,
      url,
      query,
      headers: given.ada.headers,
      ...(body && { payload: body }),
    },
  }
}
