import { expect, onTestFinished, test } from 'vitest'
import { syncTasks } from '../../src/contract/sync-tasks/calls.ts'
import { control } from '../fakes/sandbox.ts'
import { logOf } from '../fixtures/engine.ts'
import { Fleet } from '../processes/fleet.ts'
import { until } from '../processes/processes.ts'

const READS = 60

test('a copy succeeds after a minute of quota used up by another program', async () => {
  const fleet = await Fleet.open()
  onTestFinished(fleet.close)
  const members = [await fleet.start('api,scheduler'), await fleet.start('worker')]
  const { send } = await fleet.people()
  const [copy] = await fleet.copies(send, 1)
  if (!copy) throw new Error('There is nothing to copy')
  // Quotas count per clock minute, so the test uses up the quota of a minute that has just begun.
  await until('a minute has just begun', () => new Date().getSeconds() < 10, 60)
  await control(fleet.root, 'PUT', 'quotas', { enabled: true, per_project: READS, per_user: READS })
  for (let read = 0; read < READS; read += 1) await fleet.tabs(copy.target)
  await expect(fleet.tabs(copy.target)).rejects.toThrow('Quota exceeded')

  const { method, path, reply } = syncTasks.execute
  await send(method, path.replace(':id', String(copy.task_id)), reply)
  await until('the copy is over', async () => (await fleet.states()).success === 1, 120)
  await control(fleet.root, 'PUT', 'quotas', { enabled: false })
  expect(await fleet.currentRows(copy)).toEqual(copy.after)
  expect(await fleet.db.selectFrom('runs').select('attempts').execute()).toEqual([{ attempts: 1 }])
  const log = await logOf(fleet.db, copy.task_id)
  expect(log).toContainEqual(expect.stringContaining('Google’s quota for requests per minute is used up.'))

  const ours = (await fleet.ledger()).filter(({ user_agent }) => user_agent.includes('(run '))
  const refused = ours.filter(({ status }) => status === 429)
  // Backoff with delays of up to half a minute, for most of a minute.
  expect(refused.length).toBeGreaterThan(3)
  expect(refused.length).toBeLessThan(READS)
  await Promise.all(members.map(({ end }) => end()))
})
