import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { errors } from '../../../contract/errors.ts'
import { SyncTaskDetail } from '../../../contract/sync-tasks/calls.ts'

let app: TestApp
let ada: SignedIn
let ben: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  ben = await app.signIn('ben@example.com')
})

const shown = { columns: ['D', 'E'], cells: 3, hash: 'a'.repeat(64) }

/** A task of Ada's whose last run was refused because of these cells. */
async function refused() {
  const { db } = app
  const { id: account_user_id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'ada@example.com')
    .executeTakeFirstOrThrow()
  const { id } = await aSyncTask(db, { account_user_id })
  const run = await aRun(db, id, { state: 'failed' })
  await db
    .updateTable('sync_tasks')
    .set({ foreign_cells: JSON.stringify({ ...shown, run_id: run.id }) })
    .where('task_id', '=', id)
    .execute()
  const detail = async () =>
    SyncTaskDetail.parse((await ada.request('GET', `/api/sync_tasks/${id}`)).json()).foreign_cells
  const replace = async (person = ada, hash = shown.hash) => {
    const reply = await person.request('POST', `/api/sync_tasks/${id}/replace_cells`, { hash })
    return [reply.statusCode, reply.json().message]
  }
  const runs = () =>
    db
      .selectFrom('runs')
      .select(['definition', 'trigger_label'])
      .where('task_id', '=', id)
      .orderBy('id')
      .execute()
  return { id, detail, replace, runs }
}

test('the unowned cells that stopped the last run are shown, and confirming queues a run that may overwrite exactly these', async () => {
  const { id, detail, replace, runs } = await refused()
  expect(await detail()).toEqual({ ...shown, rejected_by: null })
  expect(await replace()).toEqual([200, expect.any(String)])
  expect((await runs()).at(-1)).toMatchObject({
    definition: { replace: shown.hash },
    trigger_label: 'ada@example.com',
  })
  const audit = await app.db
    .selectFrom('audit_log')
    .select(['action', 'actor', 'details'])
    .where('object_type', '=', 'sync_task')
    .where('object_id', '=', String(id))
    .orderBy('id')
    .execute()
  expect(audit).toMatchObject([
    { action: 'replace_cells', actor: 'ada@example.com', details: shown },
    { action: 'execute' },
  ])
  // The run that was asked for is the last one now, and nothing is known of what it finds.
  expect(await detail()).toBeNull()
})

test('only the user whose account runs the task may confirm', async () => {
  const { replace, runs } = await refused()
  expect(await replace(ben)).toEqual([403, errors.not_task_account.message])
  expect(await runs()).toHaveLength(1)
})

test('confirming other cells than those of the last run is 409; confirming twice at once queues one run', async () => {
  const { replace, runs } = await refused()
  expect(await replace(ada, 'b'.repeat(64))).toEqual([409, errors.foreign_cells_changed.message])
  const replies = await Promise.all([replace(), replace()])
  expect(replies.map(([status]) => status).sort()).toEqual([200, 409])
  expect(await runs()).toHaveLength(2)
})
