import { expect, test } from 'vitest'
import { addTasks } from '../../../../test/fixtures/engine.ts'
import { aSyncTask } from '../../../../test/fixtures/factories.ts'
import { BASE, sourceScheduleWorld } from '../../../../test/fixtures/source-schedule.ts'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

const labels = (db: Awaited<ReturnType<typeof sourceScheduleWorld>>['db']) =>
  db.selectFrom('runs').select(['task_id', 'trigger', 'trigger_label']).orderBy('id').execute()

test('trigger_task queues a run under the trigger that was named, default "Manual API"', async () => {
  const { db, post, sources } = await sourceScheduleWorld()
  const { task_ids } = await sources(2)
  expect(await post(`trigger_task/${task_ids[0]}`)).toEqual({
    status: 'success',
    message: taskServerMessages.run_started('Prices 1'),
  })
  await post(`trigger_task/${task_ids[1]}`, { trigger: 'Manual' })
  expect(await labels(db)).toEqual([
    { task_id: task_ids[0], trigger: 'manual', trigger_label: 'ada@example.com (Manual API)' },
    { task_id: task_ids[1], trigger: 'manual', trigger_label: 'ada@example.com (Manual)' },
  ])
  expect(await post(`trigger_task/${task_ids[0]}`)).toMatchObject({ status: 'warning' })
})

test('trigger_type and trigger_all queue active idle tasks; none is a warning', async () => {
  const { db, post, sources } = await sourceScheduleWorld()
  expect(await post('trigger_all')).toMatchObject({
    status: 'warning',
    message: bulkMessages.no_tasks_available,
  })
  const { type_id, task_ids } = await sources(3)
  await addTasks(db, 1, { name: 'Stock', category: 'source' })
  await db
    .updateTable('tasks')
    .set({ is_active: false })
    .where('id', '=', task_ids[2] ?? 0)
    .execute()
  expect(await post(`trigger_type/${type_id}`)).toMatchObject({
    status: 'success',
    started_count: 2,
    skipped_count: 1,
  })
  expect(await post(`trigger_type/${type_id}`)).toMatchObject({ status: 'warning', started_count: 0 })
  expect(await post('trigger_all', { trigger: 'Manual Run All' })).toMatchObject({
    started_count: 1,
    skipped_count: 3,
  })
  expect((await labels(db)).map(({ trigger }) => trigger)).toEqual(['group', 'group', 'all'])
})

test('unknown ids are 404, including those of sync tasks and sync types', async () => {
  const { db, ada } = await sourceScheduleWorld()
  const task = await aSyncTask(db)
  for (const [method, path] of [
    ['POST', `trigger_task/${task.id}`],
    ['POST', `trigger_type/${task.task_type_id}`],
    ['GET', `task_status/${task.id}`],
    ['POST', 'trigger_task/99999'],
    ['GET', 'task_status/none'],
  ] as const)
    expect((await ada.request(method, `${BASE}/${path}`)).statusCode, path).toBe(404)
})
