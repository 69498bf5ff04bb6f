import { expect, test } from 'vitest'
import { alarmsSite } from '../../../../test/fixtures/alarms.ts'
import { aConfig } from '../../../../test/fixtures/factories.ts'
import { runMessages } from '../../../contract/runs/client-messages.ts'

const texts = (received: { json: Record<string, unknown> }[]) => received.map(({ json }) => json.text)

test('a compile that waits for disk space in DATA_DIR raises one alarm with the required space until it continues', async () => {
  const { site, hook, check, ends } = await alarmsSite()
  const { received } = await hook({ kinds: ['disk'], categories: ['compiler'] })
  const { name, task_id } = await aConfig(site.db)
  const attempt = { error: runMessages.no_room, attempts: 1, finished_at: null, category: 'compiler' }
  await ends({ id: task_id }, 'queued', attempt)
  for (let n = 0; n < 3; n += 1) await check()
  const said = `${name} (There is no room left in the data folder of the worker: make room in its DATA_DIR. The run then continues automatically.)`
  expect(texts(received)).toEqual([`Problem: ${said}\nhttps://rowferry.test`])
  // The next attempt, and one whose result is not known yet.
  const { db } = site
  await db.updateTable('runs').set({ state: 'running', attempts: 2 }).where('task_id', '=', task_id).execute()
  await check()
  await db
    .updateTable('runs')
    .set({ state: 'queued', error: 'Lost.' })
    .where('task_id', '=', task_id)
    .execute()
  await check()
  expect(received).toHaveLength(1)
  await db.updateTable('runs').set({ state: 'success', error: null }).where('task_id', '=', task_id).execute()
  for (let n = 0; n < 3; n += 1) await check()
  expect(texts(received).slice(1)).toEqual([`Resolved: ${name}\nhttps://rowferry.test`])
})
