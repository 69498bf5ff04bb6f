import { cp, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { syncTasks } from '../../src/contract/sync-tasks/calls.ts'
import { freePort } from '../../src/server/platform/free-port.ts'
import { migrate } from '../../src/server/platform/migrate.ts'
import { control } from '../fakes/sandbox.ts'
import { logOf } from '../fixtures/engine.ts'
import { testFolder } from '../fixtures/folders.ts'
import { Fleet, type Member } from '../processes/fleet.ts'
import { until } from '../processes/processes.ts'

const COPIES = 30
const SQL = join(import.meta.dirname, '../../sql')

test('if each process restarts in turn during thirty copies, on a database that a newer version has migrated, no caller is refused, and every copy succeeds once', async () => {
  const fleet = await Fleet.open()
  onTestFinished(fleet.close)
  const members: Member[] = [await fleet.start('api')]
  const { send, headers } = await fleet.people()
  const copies = await fleet.copies(send, COPIES)
  members.push(await fleet.start('api', await freePort()))
  for (const roles of ['scheduler', 'scheduler', 'worker', 'worker']) members.push(await fleet.start(roles))
  // Slow enough that copies are running until the last restart.
  await control(fleet.root, 'PUT', 'latency', { ms: 5_000, jitter_ms: 5_000 })

  await send(syncTasks.executeAll.method, syncTasks.executeAll.path, syncTasks.executeAll.reply)
  await until('copies are under way', async () => ((await fleet.states()).running ?? 0) > 2)
  await migrateFurther(fleet.database.url)
  const watching = watch(members, headers)
  for (const [place, { roles, port, end }] of members.entries()) {
    expect(await end(), roles).toEqual({ code: 0, signal: null })
    members[place] = await fleet.start(roles, port)
  }
  const { success = 0, running = 0 } = await fleet.states()
  expect(running, `${success} copies were over after the last restart`).toBeGreaterThan(0)
  await control(fleet.root, 'PUT', 'latency', { ms: 0 })
  await until('all copies are over', async () => (await fleet.states()).success === COPIES, 300)
  await watching.stop()

  expect(await fleet.db.selectFrom('runs').select('id').execute()).toHaveLength(COPIES)
  let handed_over = 0
  for (const copy of copies) {
    const log = await logOf(fleet.db, copy.task_id)
    expect(log.filter((line) => line.includes('started'))).toHaveLength(1)
    if (log.includes('INFO A worker resumed the run.')) handed_over += 1
    expect(await fleet.currentRows(copy)).toEqual(copy.after)
    expect(await fleet.tabs(copy.target)).toHaveLength(1)
  }
  const attempts = await fleet.db.selectFrom('runs').select(['attempts', 'redeliveries']).distinct().execute()
  expect(attempts).toEqual([{ attempts: 1, redeliveries: 0 }])
  expect(handed_over, 'a worker handed runs over').toBeGreaterThan(0)
  await Promise.all(members.map(({ end }) => end()))
})

/** Applies a migration as a later version may contain: it only adds columns and tables. */
async function migrateFurther(url: string): Promise<void> {
  const folder = await testFolder()
  await cp(SQL, folder, { recursive: true })
  await writeFile(
    join(folder, '9999_version_to_come.sql'),
    `alter table runs add column version_to_come text not null default 'unknown';
     create table version_to_come (run_id int references runs on delete cascade);`,
  )
  expect(await migrate({ url, folder })).toHaveLength(1)
}

/** Requests the task list repeatedly from every listening api, like a load balancer. Every request must succeed. */
function watch(members: readonly Member[], headers: Record<string, string>): { stop: () => Promise<void> } {
  const answers = { ready: 0, tasks: 0 }
  let over = false
  const watching = (async () => {
    while (!over) {
      let listening = 0
      for (const { root } of members.filter(({ roles }) => roles === 'api')) {
        const ready = await statusOf(`${root}/readyz`, headers)
        if (ready === null) continue
        answers.ready += 1
        listening += 1
        const tasks = await statusOf(`${root}${syncTasks.list.path}`, headers)
        if (tasks === null) continue
        expect({ ready, tasks }).toEqual({ ready: 200, tasks: 200 })
        answers.tasks += 1
      }
      expect(listening).toBeGreaterThan(0)
      await delay(20)
    }
  })()
  // A failure is handled where the promise is awaited.
  watching.catch(() => undefined)
  return {
    stop: async () => {
      over = true
      await watching
      expect(answers.tasks).toBeGreaterThan(50)
    },
  }
}

/** Status of a reply on a new connection; null if no server listens. Throws if the connection breaks. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers }, (reply) => {
      reply.on('error', reject).on('end', () => resolve(reply.statusCode ?? 0))
      reply.resume()
    })
    // If the connection was never accepted, a load balancer tries the next server.
    request.on('error', (error) =>
      'syscall' in error && error.syscall === 'connect' ? resolve(null) : reject(error),
    )
  })
}
