import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, testApp } from '../../../../test/fixtures/app.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { type Approval, approvals } from '../../../contract/approvals/calls.ts'
import { approvalServerMessages as messages } from '../../../contract/approvals/server-messages.ts'
import { notifications } from '../../../contract/notifications/calls.ts'
import { pipeline } from '../../../contract/pipeline/calls.ts'
import { sourceColumns } from '../../../contract/remembered-columns/calls.ts'

const world = copyWorld()
let ada: SignedIn
let bob: SignedIn
let runToken: ReturnType<typeof withToken>
let editToken: ReturnType<typeof withToken>
beforeAll(async () => {
  const site = await testApp({ database: world.database, handlers: world.handlers })
  ada = await site.signIn()
  bob = await site.signIn('bob@example.com')
  runToken = withToken(site.app, await aToken(ada, 'run'))
  editToken = withToken(site.app, await aToken(ada, 'edit'))
})
beforeEach(() => world.faults())

const header = ['SKU', 'Stock']
const rows = Array.from({ length: 30 }, (_, n) => [`SKU-${n}`, n])
const LIMITS = JSON.stringify({})

const list = async () => approvals.list.reply.parse((await ada.request('GET', '/api/approvals')).json())
async function approvalOf(task_id: number): Promise<Approval> {
  const found = (await list()).approvals.find(({ task }) => task.id === task_id)
  if (!found) throw new Error('The task waits for no approval')
  return found
}
const isListed = async (id: number) => (await list()).approvals.some(({ task }) => task.id === id)
const attentionOf = async (task_id: number) =>
  pipeline.attention.reply
    .parse((await ada.request('GET', `/api/pipeline/attention?task_id=${task_id}`)).json())
    .tasks.map(({ kind }) => kind)

async function empty(source: string, left: number): Promise<void> {
  await world.clear(source, 'Products')
  await world.write(source, 'Products', [header, ...rows.slice(0, left)])
}

/** A task whose last run would have removed 25 of 30 rows. */
async function beyond() {
  const pair = await world.pair([header, ...rows], [], { limits: LIMITS })
  await world.run(pair.task)
  await empty(pair.source, 5)
  const run = await world.run(pair.task)
  expect(run.state).toBe('failed')
  return { ...pair, run }
}

/** A source task with rows that need an approval. */
async function held() {
  const sheet = await world.spreadsheet({ Products: [header, ...rows] })
  const task = await world.sourceTask({ spreadsheet_id: sheet })
  await world.ingest(task)
  await empty(sheet, 5)
  await world.ingest(task)
  return { sheet, task }
}

test('a run beyond a limit is listed once, and approved it writes its plan once; the audit log names user and limit', async () => {
  const { task, target, run } = await beyond()
  const { version, kind, reason, run_id } = await approvalOf(task)
  expect({ kind, run_id }).toEqual({ kind: 'run_beyond_limit', run_id: run.id })
  expect(reason).toBe('Would remove 25 of 30 rows; the limit is 15. Nothing was written.')
  expect(await attentionOf(task)).toEqual(['waiting'])
  const approve = (user: SignedIn) => user.request('POST', `/api/approvals/${task}/approve`, { version })
  const replies = await Promise.all([approve(ada), approve(bob)])
  // The other one finds a live run, or nothing to approve.
  expect(replies.filter((reply) => reply.json().status === 'success')).toHaveLength(1)
  expect((await world.ended(task)).state).toBe('success')
  expect(await world.values(target, 'Shop')).toEqual([header, ...rows.slice(0, 5)])
  const { decisions } = await list()
  expect(decisions.filter((one) => one.task.id === task)).toMatchObject([
    { kind: 'run_beyond_limit', is_approved: true, reason: 'Would remove 25 of 30 rows; the limit is 15.' },
  ])
  const entries = await world.db
    .selectFrom('audit_log')
    .select(['actor', 'details'])
    .where('action', '=', 'run_beyond_limit')
    .where('object_id', '=', String(task))
    .execute()
  expect(entries).toMatchObject([
    { details: { limits: [{ kind: 'rows_removed', text: expect.stringContaining('25 of 30') }] } },
  ])
  expect((await approve(ada)).json().message).toBe(messages.not_found)
})

test('a rejected run stays rejected until a run finds something else, and is then listed as failed', async () => {
  const { task, source } = await beyond()
  await world.db.updateTable('tasks').set({ name: 'Nightly' }).where('id', '=', task).execute()
  const { version } = await approvalOf(task)
  const reply = await bob.request('POST', `/api/approvals/${task}/reject`, { version })
  expect(reply.json().status).toBe('success')
  expect(reply.json().message).toContain(' Nightly (Shop) ')
  expect(await isListed(task)).toBe(false)
  expect(await attentionOf(task)).toEqual(['failed'])
  const { decisions } = await list()
  expect(decisions.find((one) => one.task.id === task)).toMatchObject({
    is_approved: false,
    by: 'bob@example.com',
  })
  await world.run(task)
  expect(await isListed(task)).toBe(false)
  await empty(source, 4)
  await world.run(task)
  expect(await isListed(task)).toBe(true)
})

test('another version than the reviewed one is refused', async () => {
  const { task } = await beyond()
  const { version } = await approvalOf(task)
  await world.run(task)
  for (const action of ['approve', 'reject']) {
    const reply = await ada.request('POST', `/api/approvals/${task}/${action}`, { version })
    expect([reply.statusCode, reply.json().message]).toEqual([409, messages.changed])
  }
})

test('of an edited target, nothing is written, and the approval is over', async () => {
  const { task, target } = await beyond()
  await world.write(target, 'Shop', [['Edited']])
  const { version } = await approvalOf(task)
  await ada.request('POST', `/api/approvals/${task}/approve`, { version })
  expect((await world.ended(task)).message).toMatch(/^The plan is outdated/)
  expect(await isListed(task)).toBe(false)
})

test('rows of an ingest are accepted or discarded; the same rows are not listed again', async () => {
  const first = await held()
  const { version, kind } = await approvalOf(first.task)
  expect(kind).toBe('ingest_below_minimum')
  const accepted = await ada.request('POST', `/api/approvals/${first.task}/approve`, { version })
  expect(accepted.json()).toEqual({ status: 'success', message: '5 rows are current now' })
  const second = await held()
  const other = await approvalOf(second.task)
  await ada.request('POST', `/api/approvals/${second.task}/reject`, { version: other.version })
  await world.ingest(second.task)
  expect(await isListed(second.task)).toBe(false)
  await empty(second.sheet, 4)
  await world.ingest(second.task)
  expect(await isListed(second.task)).toBe(true)
})

test('a token with the right to run decides on runs, not on rows', async () => {
  const { task } = await beyond()
  const { task: ingest } = await held()
  const decide = async (send: typeof runToken, id: number) =>
    (await send('POST', `/api/approvals/${id}/approve`, { version: (await approvalOf(id)).version }))
      .statusCode
  expect(await decide(runToken, ingest)).toBe(403)
  expect(await decide(editToken, ingest)).toBe(200)
  expect(await decide(runToken, task)).toBe(200)
  expect((await world.ended(task)).state).toBe('success')
})

test('what is approved on the page of the task is a decision, too', async () => {
  const { task } = await beyond()
  const { version } = await approvalOf(task)
  await runToken('POST', `/api/sync_tasks/${task}/execute?wait=60`, { plan: version })
  const { decisions } = await list()
  expect(decisions.find((one) => one.task.id === task)).toMatchObject({ is_approved: true })
})

test('the bell says so until it is rejected', async () => {
  const { task } = await beyond()
  await bob.request('PUT', `/api/favourites/${task}`, { is_favourite: true })
  await world.db
    .insertInto('alarms')
    .values({
      ...{ kind: 'limit', subject: `task ${task}`, category: 'sync', task_id: task, title: 'Stock' },
      ...{ task_type_id: null, reason: 'Would remove 25 of 30 rows', over_at: null },
    })
    .execute()
  const kinds = async () =>
    notifications.list.reply
      .parse((await bob.request('GET', '/api/notifications')).json())
      .filter((one) => one.task?.id === task)
      .map(({ kind }) => kind)
  expect(await kinds()).toEqual(['approval'])
  const { version } = await approvalOf(task)
  await ada.request('POST', `/api/approvals/${task}/reject`, { version })
  expect(await kinds()).toEqual(['failed'])
})

test('an expired plan cannot be approved any more', async () => {
  const { task, run } = await beyond()
  await world.db
    .updateTable('plans')
    .set({ expires_at: new Date(0) })
    .where('run_id', '=', run.id)
    .execute()
  expect(await isListed(task)).toBe(false)
  expect(await attentionOf(task)).toEqual(['failed'])
})

/** A task of Ada's account whose last run would have overwritten cells that it does not own. */
async function unowned() {
  const { task, source, target } = await world.pair([header, ...rows])
  await world.run(task)
  await world.write(source, 'Products', [[...header, 'Price'], ...rows.map((row) => [...row, 1])])
  await world.write(target, 'Shop', [[...header, 'Mine'], ...rows.map((row) => [...row, 'x'])])
  // The signed-in user, not the one of the world with the same address.
  const { id } = await world.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', ada.email)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await world.db.updateTable('tasks').set({ account_user_id: id }).where('id', '=', task).execute()
  expect((await world.run(task)).state).toBe('failed')
  return { task }
}

test('cells that the task does not own need the approval of the owner of its account', async () => {
  const { task } = await unowned()
  const approval = await approvalOf(task)
  expect(approval).toMatchObject({ kind: 'unowned_cells', only_by: 'ada@example.com' })
  const { version } = approval
  for (const action of ['approve', 'reject']) {
    const refused = await bob.request('POST', `/api/approvals/${task}/${action}`, { version })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'not_task_account'])
  }
  expect(await isListed(task)).toBe(true)
  await ada.request('POST', `/api/approvals/${task}/approve`, { version })
  expect((await world.ended(task)).state).toBe('success')
})

test('the owner of its account rejects them; the page of the task says who, and they can still be replaced', async () => {
  const { task } = await unowned()
  const { version } = await approvalOf(task)
  const cells = async () => (await ada.request('GET', `/api/sync_tasks/${task}`)).json().foreign_cells
  expect(await cells()).toMatchObject({ hash: version, rejected_by: null })
  const rejections = await Promise.all(
    [1, 2].map(() => ada.request('POST', `/api/approvals/${task}/reject`, { version })),
  )
  expect(rejections.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
  expect(await isListed(task)).toBe(false)
  await world.run(task)
  expect(await cells()).toMatchObject({ hash: version, rejected_by: 'ada@example.com' })
  const replaced = await ada.request('POST', `/api/sync_tasks/${task}/replace_cells`, { hash: version })
  expect(replaced.json().status).toBe('success')
  expect((await world.ended(task)).state).toBe('success')
})

test('the page of the task says who has rejected a run beyond a limit, until a run finds something else', async () => {
  const { task, source } = await beyond()
  const beyondLimits = async () => (await ada.request('GET', `/api/sync_tasks/${task}`)).json().beyond_limits
  expect(await beyondLimits()).toMatchObject({ rejected_by: null })
  const { version } = await approvalOf(task)
  await bob.request('POST', `/api/approvals/${task}/reject`, { version })
  expect(await beyondLimits()).toMatchObject({ plan: version, rejected_by: 'bob@example.com' })
  await world.run(task)
  expect(await beyondLimits()).toMatchObject({ rejected_by: 'bob@example.com' })
  await empty(source, 4)
  await world.run(task)
  expect(await beyondLimits()).toMatchObject({ rejected_by: null })
})

test('changed columns are listed as such, and approved they are read under their former names', async () => {
  const sheet = await world.spreadsheet({ Products: [header, ...rows] })
  const task = await world.sourceTask({ spreadsheet_id: sheet })
  await world.ingest(task)
  await world.write(sheet, 'Products', [['SKU', 'In stock']])
  await world.ingest(task)
  const { version, kind, reason } = await approvalOf(task)
  expect(kind).toBe('columns_changed')
  expect(reason).toContain('‘In stock’ of ‘Products’')
  expect(reason).toContain('looks like the missing column ‘Stock’')
  const columns = async () =>
    sourceColumns.columns.reply.parse((await ada.request('GET', `/api/source_tasks/${task}/columns`)).json())
  expect((await columns()).changes).toMatchObject([
    { kind: 'renamed', before: { name: 'Stock' }, now: { name: 'In stock' } },
  ])
  const decide = (action: string, reviewed = version) =>
    bob.request('POST', `/api/approvals/${task}/${action}`, { version: reviewed })
  expect((await decide('approve', '0')).statusCode).toBe(409)
  // Only runs beyond a limit are approved by a token with the right to run.
  expect((await runToken('POST', `/api/approvals/${task}/approve`, { version })).statusCode).toBe(403)
  expect((await decide('approve')).json().status).toBe('success')
  expect(await isListed(task)).toBe(false)
  expect((await list()).decisions.find((one) => one.task.id === task)).toMatchObject({
    ...{ kind: 'columns_changed', is_approved: true, by: 'bob@example.com' },
  })
  const { columns: stored, names, changes } = await columns()
  expect(stored.map(({ name }) => name)).toEqual(header)
  expect(names).toMatchObject([{ column: 'In stock', read_as: 'Stock', set_by: 'bob@example.com' }])
  expect(changes).toEqual([])
  // The same heading is not asked for again; another one is.
  expect((await world.ingest(task)).state).toBe('success')
  await world.write(sheet, 'Products', [['SKU', 'On hand']])
  await world.ingest(task)
  const again = await approvalOf(task)
  expect((await decide('reject', again.version)).json().status).toBe('success')
  expect((await columns()).columns.map(({ name }) => name)).toEqual(header)
  expect(await isListed(task)).toBe(false)
})
