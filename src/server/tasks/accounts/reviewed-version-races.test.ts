import { beforeEach, expect, test } from 'vitest'
import { lockWaits } from '../../../../test/fixtures/database.ts'
import { reviewedTasks, reviewers } from '../../../../test/fixtures/reviewed-tasks.ts'

const people = await reviewers()
const { app, ben } = people
let world: Awaited<ReturnType<typeof reviewedTasks>>
beforeEach(async () => {
  world = await reviewedTasks(people)
})

const emptied = () =>
  ben.request('PUT', `/api/sync_presets/${world.preset.id}`, { excluded_fields: ['none'] })

test('if the change comes first, the confirmation waits for it and is stale', async () => {
  const reviewed = await world.versionOf('copy')
  const change = await app.db.startTransaction().execute()
  await change
    .updateTable('sync_presets')
    .set({ excluded_fields: [] })
    .where('id', '=', world.preset.id)
    .execute()
  const reply = world.confirm('copy', reviewed)
  await expect.poll(() => lockWaits(app.db)).toBe(1)
  await change.commit().execute()
  expect((await reply).statusCode).toBe(409)
})

test('if the confirmation comes first, the change waits for it and is refused', async () => {
  const confirmed = await app.db.startTransaction().execute()
  const { id } = await confirmed
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'ada@example.com')
    .executeTakeFirstOrThrow()
  await confirmed.updateTable('tasks').set({ account_user_id: id }).where('id', '=', world.copy.id).execute()
  const change = emptied()
  await expect.poll(() => lockWaits(app.db)).toBe(1)
  await confirmed.commit().execute()
  const reply = await change
  expect([reply.statusCode, reply.json().code]).toEqual([409, 'preset_decides'])
})

test('if a task starts to use a configuration while one of its sources is changed, the change waits and updates its version, too', async () => {
  const taken = await app.db.startTransaction().execute()
  await taken
    .updateTable('sync_tasks')
    .set({ source_type: 'internal', source_compiler_config_id: world.config.id })
    .where('task_id', '=', world.copy.id)
    .execute()
  const change = ben.request('PUT', `/api/source_tasks/${world.sheet.id}`, { sheet_name: 'Private' })
  await expect.poll(() => lockWaits(app.db)).toBe(1)
  await taken.commit().execute()
  expect((await change).statusCode).toBe(200)
  expect((await world.confirm('copy', world.copy.updated_at.toISOString())).statusCode).toBe(409)
})

test('an import of tasks and a change of their origins are serialized: the change is made after it', async () => {
  const importing = await app.db.startTransaction().execute()
  await importing.updateTable('tasks').set({ chunk_size: 9 }).where('id', '=', world.compiled.id).execute()
  const change = emptied()
  await expect.poll(() => lockWaits(app.db)).toBe(1)
  // The import waits for a lock of the change: PostgreSQL aborts one of the two.
  await importing
    .updateTable('tasks')
    .set({ chunk_size: 9 })
    .where('id', '=', world.copy.id)
    .execute()
    .then(() => importing.commit().execute())
    .catch(() => importing.rollback().execute())
  expect((await change).statusCode).toBe(200)
})
