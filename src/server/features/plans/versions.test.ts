import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, testApp } from '../../../../test/fixtures/app.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { versionsOf } from '../../../../test/fixtures/versions.ts'
import { PreviewReply, Versions } from '../../../contract/plans/calls.ts'
import { planServerMessages as messages } from '../../../contract/plans/server-messages.ts'
import { runs } from '../../../contract/runs/calls.ts'
import { RunReply } from '../../../contract/runs/wait-for-run.ts'
import { SyncTaskDetail } from '../../../contract/sync-tasks/calls.ts'
import { prune } from '../../engine/prune.ts'
import { limitVersions } from '../../plans/versions.ts'

const world = copyWorld()
let ada: SignedIn
let send: ReturnType<typeof withToken>
beforeAll(async () => {
  const site = await testApp({ database: world.database, handlers: world.handlers })
  ada = await site.signIn()
  send = withToken(site.app, await aToken(ada, 'run'))
})
beforeEach(() => world.faults())

const header = ['SKU', 'Stock']
const rows = Array.from({ length: 25 }, (_, n) => [`SKU-${n}`, n])

/** A task of which several runs have changed the target: the number in the last row is that of the run. */
async function changed(runs: number) {
  const pair = await world.pair([header, ...rows, ['LAST', 1]])
  const ids: number[] = []
  for (let n = 1; n <= runs; n += 1) {
    await world.write(pair.source, `Products!B${rows.length + 2}`, [[n]])
    ids.push((await world.run(pair.task)).id)
  }
  return { ...pair, ids }
}

const versions = async (task: number) =>
  Versions.parse((await send('GET', `/api/sync_tasks/${task}/versions`)).json())

const detail = async (task: number) =>
  SyncTaskDetail.parse((await send('GET', `/api/sync_tasks/${task}`)).json())

async function plan(task: number, path: string, body?: object) {
  const reply = await send('POST', `/api/sync_tasks/${task}/${path}?wait=60`, body)
  expect(reply.statusCode, reply.body).toBe(200)
  const { plan: made } = PreviewReply.parse(reply.json())
  if (!made) throw new Error('The preview has no plan')
  return made
}

async function apply(task: number, hash: string) {
  const reply = await send('POST', `/api/sync_tasks/${task}/execute?wait=60`, { plan: hash })
  return RunReply.parse(reply.json()).run
}

const last = async (target: string) => (await world.values(target, `Shop!B${rows.length + 2}`))[0]?.[0]

test('a token with the right to run lists versions, undoes the last change and restores any of them', async () => {
  const { target, task, ids } = await changed(3)
  const listed = await versions(task)
  expect(listed.versions.map(({ run_id }) => run_id)).toEqual(ids.toReversed())
  expect(listed.versions[0]).toMatchObject({ rows: 26, cells_changed: 1, restores: null })
  expect(listed.versions[0]?.summary?.cells.changed).toBe(1)
  expect(listed.limits).toEqual({ days: 90, per_task: 20, bytes: 2_000_000_000 })

  const undo = await plan(task, 'undo')
  expect(undo).toMatchObject({ state: 'open', restores: { run_id: ids[2], side: 'former' } })
  expect(await last(target)).toBe(3)
  expect(await apply(task, undo.hash)).toMatchObject({ state: 'success' })
  expect(await last(target)).toBe(2)

  const restore = await plan(task, `versions/${ids[0]}/restore`)
  expect(await apply(task, restore.hash)).toMatchObject({ state: 'success' })
  expect(await last(target)).toBe(1)
  const [newest, before] = (await versions(task)).versions
  expect(newest?.restores).toEqual({ run_id: ids[0], side: 'wanted' })
  expect(before?.restores).toEqual({ run_id: ids[2], side: 'former' })
})

test('the task says that its target holds an older version, until a run succeeds', async () => {
  const { target, task, ids } = await changed(2)
  expect((await detail(task)).older_version).toBeNull()
  await apply(task, (await plan(task, 'undo')).hash)
  expect((await detail(task)).older_version).toEqual({ run_id: ids[1], side: 'former' })
  await world.preview(task)
  expect((await detail(task)).older_version).not.toBeNull()
  await world.run(task)
  expect((await detail(task)).older_version).toBeNull()
  expect(await last(target)).toBe(2)
})

test('an undo of an undo that brings back the newest rows is no older version', async () => {
  const { target, task, ids } = await changed(2)
  await apply(task, (await plan(task, 'undo')).hash)
  expect((await detail(task)).older_version).not.toBeNull()
  await apply(task, (await plan(task, 'undo')).hash)
  expect(await last(target)).toBe(2)
  expect((await detail(task)).older_version).toBeNull()
  // So is the newest version, restored from the list.
  await apply(task, (await plan(task, `versions/${ids[0]}/restore`)).hash)
  expect((await detail(task)).older_version).toEqual({ run_id: ids[0], side: 'wanted' })
  await apply(task, (await plan(task, `versions/${ids[1]}/restore`)).hash)
  expect((await detail(task)).older_version).toBeNull()
})

test('a run stores what it has changed; the space of a version is null until it is measured', async () => {
  const { task, ids } = await changed(3)
  const stored = await world.db
    .selectFrom('plans')
    .select('summary')
    .where('run_id', '=', ids[2] ?? 0)
    .executeTakeFirstOrThrow()
  const before = await versions(task)
  expect(before.versions.map(({ summary }) => summary?.lines[0]?.text)).toEqual([
    '1 cell changed, in 1 row',
    '1 cell changed, in 1 row',
    expect.stringMatching(/^The target is empty/),
  ])
  expect(before.versions[0]?.summary).toEqual(stored.summary)
  // The rows of the last change are kept anyway.
  expect(before.versions.map(({ bytes }) => bytes)).toEqual([0, null, null])
  await limitVersions(world.db, { days: 90, per_task: 20, bytes: 2_000_000_000 })
  const after = await versions(task)
  expect(after.versions.every(({ bytes }) => bytes !== null)).toBe(true)
  expect(after.bytes).toBeGreaterThan(0)
})

test('edited cells are kept, and restored on request', async () => {
  const { target, task } = await changed(2)
  await world.write(target, 'Shop!B2', [[-5]])
  const kept = await plan(task, 'undo')
  expect(kept.restores?.kept).toEqual({ cells: 1, addresses: ['B2'] })
  const all = await plan(task, 'undo', { overwrite_edits: true })
  expect(all.restores?.kept.cells).toBe(0)
  await apply(task, all.hash)
  expect((await world.values(target, 'Shop!B2'))[0]).toEqual([0])
})

test('a failed restore says whether edited cells were the reason', async () => {
  const { source, target, task } = await world.pair([header, ...rows])
  await world.run(task)
  await world.write(source, 'Products', [
    ['SKU', 'Name', 'Stock'],
    ...rows.map(([sku, stock]) => [sku ?? '', 'A name', stock ?? 0]),
  ])
  await world.run(task)
  await world.write(target, 'Shop!B3', [['Mine']])
  const outcome = async () => {
    const { run_id } = await world.undo(task)
    const { state, restores } = runs.get.reply.parse((await send('GET', `/api/runs/${run_id}`)).json())
    return [state, restores?.edits_in_the_way]
  }
  expect(await outcome()).toEqual(['failed', true])
  await world.db.updateTable('tasks').set({ account_user_id: null }).where('id', '=', task).execute()
  expect(await outcome()).toEqual(['failed', false])
})

test('what cannot be restored is refused with a reason', async () => {
  const { task, ids } = await changed(2)
  const other = await changed(1)
  const { task: fresh } = await world.pair([header, ...rows])
  const answer = async (id: number, path: string, body?: object) => {
    const { statusCode, json } = await send('POST', `/api/sync_tasks/${id}/${path}`, body)
    return [statusCode, json().message]
  }
  const restore = (id: number, run: number | string | undefined) => answer(id, `versions/${run}/restore`)
  expect(await restore(task, 2_000_000_000)).toEqual([404, messages.version_not_found])
  expect(await restore(other.task, ids[0])).toEqual([409, messages.version_of_other_task])
  expect(await answer(fresh, 'undo')).toEqual([409, messages.nothing_to_undo])
  expect((await restore(task, 'x'))[0]).toBe(404)
  expect((await answer(task, 'undo', { overwrite: true }))[0]).toBe(400)
  expect((await answer(2_000_000_000, 'undo'))[0]).toBe(404)
  await world.db.updateTable('sync_tasks').set({ start_row: 3 }).where('task_id', '=', other.task).execute()
  expect(await answer(other.task, 'undo')).toEqual([409, messages.version_elsewhere])
  await limitVersions(world.db, { days: 90, per_task: 1, bytes: 2_000_000_000 })
  expect(await restore(task, ids[0])).toEqual([410, messages.version_gone])
})

test('nothing is undone or restored in another tab, and a renamed tab is followed', async () => {
  const { target, task, ids } = await changed(2)
  const title = (words: string) => ({
    updateSheetProperties: { properties: { sheetId: 100, title: words }, fields: 'title' },
  })
  await world.batch(target, title('Renamed'))
  expect((await plan(task, 'undo')).state).toBe('open')
  await world.batch(target, title('Shop'))
  await world.batch(target, { addSheet: { properties: { sheetId: 777, title: 'Other' } } })
  await world.db
    .updateTable('sync_tasks')
    .set({ target_sheet_name: 'Other', target_place: null })
    .where('task_id', '=', task)
    .execute()
  for (const path of ['undo', `versions/${ids[0]}/restore`]) {
    const reply = await send('POST', `/api/sync_tasks/${task}/${path}`)
    expect([reply.statusCode, reply.json().message]).toEqual([409, messages.version_elsewhere])
  }
})

test('nothing is undone or restored while a run is live, which may have written without having ended', async () => {
  const { source, task, ids } = await changed(2)
  await world.faults({ kind: 'latency', ms: 60_000, match: { spreadsheet_id: source } })
  await world.start(task)
  for (const path of ['undo', `versions/${ids[0]}/restore`]) {
    const reply = await send('POST', `/api/sync_tasks/${task}/${path}`)
    expect([reply.statusCode, reply.json().message]).toEqual([409, messages.version_live])
  }
  await world.faults()
  await world.stop(task)
  await world.ended(task)
  expect((await plan(task, 'undo')).state).toBe('open')
})

test('a plan that is refused because of unowned cells is written once these are accepted', async () => {
  const { target, task } = await changed(2)
  const { id } = await world.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', ada.email)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await world.db.updateTable('tasks').set({ account_user_id: id }).where('id', '=', task).execute()
  const inserted = { sheetId: 100, dimension: 'COLUMNS', startIndex: 1, endIndex: 2 }
  await world.batch(target, { insertDimension: { range: inserted } })
  const undo = await plan(task, 'undo', { overwrite_edits: true })
  const reply = await send('POST', `/api/sync_tasks/${task}/execute?wait=60`, { plan: undo.hash })
  expect(reply.json().message).toMatch(/columns were inserted, moved or deleted/)
  const hash = (await detail(task)).foreign_cells?.hash
  const accepted = await ada.request('POST', `/api/sync_tasks/${task}/replace_cells`, { hash })
  expect(accepted.statusCode, accepted.body).toBe(200)
  const run = await world.ended(task)
  expect(run.state, run.message).toBe('success')
  expect(run.receipt?.plan).toBe(undo.hash)
  expect(await last(target)).toBe(1)
})

test('a preview of the task and one of a version are two, and equal ones are one', async () => {
  const { task } = await changed(2)
  const [one, same, other] = await Promise.all([
    plan(task, 'undo'),
    plan(task, 'undo'),
    plan(task, 'preview'),
  ])
  expect(one.hash).toBe(same.hash)
  expect(other.hash).not.toBe(one.hash)
  expect(other.restores).toBeNull()
})

test('versions are kept by number, age and space, the oldest go first, and rows in use stay', async () => {
  const { target, task, ids } = await changed(4)
  const runs = async () => (await versions(task)).versions.map(({ run_id }) => run_id)
  const limits = { days: 90, per_task: 20, bytes: 2_000_000_000 }
  await limitVersions(world.db, { ...limits, per_task: 3 })
  await world.db
    .updateTable('snapshots')
    .set({ pinned_until: new Date(0), created_at: new Date(0) })
    .execute()
  await prune(world.db, 90)
  expect(await runs()).toEqual(ids.slice(1).toReversed())
  const { bytes } = await versions(task)
  expect(bytes).toBeGreaterThan(1_000)
  const open = await plan(task, `versions/${ids[1]}/restore`)
  await limitVersions(world.db, { ...limits, bytes: 0 })
  await world.db
    .updateTable('snapshots')
    .set({ pinned_until: new Date(0), created_at: new Date(0) })
    .execute()
  await prune(world.db, 90)
  // The last change can be undone: its rows are kept anyway.
  expect(await runs()).toEqual([ids[3]])
  expect(await apply(task, open.hash)).toMatchObject({ state: 'success' })
  expect(await last(target)).toBe(2)
  await world.db
    .updateTable('plans')
    .set({ applied_at: new Date(Date.now() - 91 * 86_400_000) })
    .where('task_id', '=', task)
    .execute()
  await limitVersions(world.db, limits)
  expect(await runs()).toEqual([])
})

test('listing versions stores nothing: their rows are measured by the clean-up', async () => {
  const { task } = await changed(4)
  const measured = () =>
    world.db
      .selectFrom('snapshots')
      .select('id')
      .where('task_id', '=', task)
      .where('bytes', 'is not', null)
      .execute()
  expect(await versions(task)).toMatchObject({ bytes: 0 })
  expect(await measured()).toEqual([])
  await limitVersions(world.db, { days: 90, per_task: 20, bytes: 2_000_000_000 })
  expect((await measured()).length).toBeGreaterThanOrEqual(4)
  expect((await versions(task)).bytes).toBeGreaterThan(1_000)
})

test('a change that a run could not make is no version', async () => {
  const { target, task } = await world.pair([header, ...rows])
  const { plan_id } = await world.preview(task)
  await world.write(target, 'Shop', [['Mine']])
  await world.run(task, { plan: plan_id })
  expect(await versionsOf(world.db, task)).toEqual([])
})
