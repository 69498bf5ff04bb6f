import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { runMessages } from '../../../contract/runs/client-messages.ts'

let app: TestApp
let ada: SignedIn
let ben: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  ben = await app.signIn('ben@example.com')
})

const errors = { id: 'error-cells-1', message: '2 cells (B7, C9) with a spreadsheet error' }
const moved = { id: 'tab-1', message: 'The tab was renamed' }

async function warned(...warnings: object[]) {
  const task = await aSyncTask(app.db)
  await aRun(app.db, task.id, { state: 'warning', warnings: JSON.stringify(warnings) })
  return task
}

const stateOf = async (id: number) => (await ada.request('GET', `/api/sync_tasks/${id}`)).json()
const act = async (by: SignedIn, id: number, what: 'acknowledge' | 'take_back', ...warning_ids: string[]) => {
  const { statusCode, ...reply } = await by.request('POST', `/api/sync_tasks/${id}/warnings/${what}`, {
    warning_ids,
  })
  return { statusCode, body: reply.json() }
}

test('an acknowledgement has user and time; with all warnings acknowledged the task counts as a Success, until one is withdrawn', async () => {
  const { id } = await warned(errors, moved)
  expect(await stateOf(id)).toMatchObject({
    task_status: 'Warning',
    run_warnings: [
      { ...errors, acknowledged: null },
      { ...moved, acknowledged: null },
    ],
  })
  expect((await act(ada, id, 'acknowledge', errors.id)).body.status).toBe('success')
  expect(await stateOf(id)).toMatchObject({
    task_status: 'Warning',
    run_warnings: [{ id: moved.id }, { id: errors.id, acknowledged: { by: 'ada@example.com' } }],
  })
  await act(ben, id, 'acknowledge', errors.id, moved.id)
  // The first user to acknowledge stays recorded.
  expect(await stateOf(id)).toMatchObject({
    task_status: 'Success',
    run_warnings: [{ acknowledged: { by: 'ada@example.com' } }, { acknowledged: { by: 'ben@example.com' } }],
  })
  await act(ben, id, 'take_back', errors.id)
  expect(await stateOf(id)).toMatchObject({ task_status: 'Warning' })
  expect((await act(ben, id, 'take_back', errors.id)).body).toEqual({
    status: 'warning',
    message: runMessages.not_acknowledged,
  })
  const audited = await app.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('object_type', '=', 'sync_task')
    .where('object_id', '=', String(id))
    .orderBy('id')
    .execute()
  expect(audited).toMatchObject([
    { actor: 'ada@example.com', action: 'acknowledge', details: { warnings: [errors.message] } },
    { actor: 'ben@example.com', action: 'acknowledge' },
    { actor: 'ben@example.com', action: 'take_back' },
  ])
})

test('only warnings of the last run can be acknowledged, since a newer run may have ended meanwhile', async () => {
  const { id } = await warned(errors)
  expect(await act(ada, id, 'acknowledge', errors.id, 'other')).toMatchObject({
    statusCode: 409,
    body: { message: runMessages.warnings_changed },
  })
  expect(await stateOf(id)).toMatchObject({ task_status: 'Warning' })
  expect((await act(ada, 99_999, 'acknowledge', errors.id)).statusCode).toBe(404)
  expect((await act(ada, id, 'acknowledge')).statusCode).toBe(400)
})
