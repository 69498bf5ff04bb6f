import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { listenForEvents, type Notice, notify } from './notify.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((subscription) => subscription.close()))
})

function listen(url: string) {
  const notices: Notice[] = []
  const gaps = { count: 0 }
  const subscription = listenForEvents(url, (notice) => notices.push(notice), {
    onGap: () => {
      gaps.count += 1
    },
  })
  open.push(subscription)
  return { notices, gaps, close: subscription.close }
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('a notification is received when its transaction commits, and not when it rolls back', async () => {
  const { url, db } = await testDatabase()
  const { notices, gaps } = listen(url)
  await until(() => gaps.count === 1)
  await db
    .transaction()
    .execute(async (trx) => {
      await notify(trx, { kind: 'jobs' })
      throw new Error('rolled back')
    })
    .catch(() => {})
  await notify(db, { kind: 'tasks' })
  await until(() => notices.length > 0)
  expect(notices).toEqual([{ kind: 'tasks' }])
})

test('an outage is survived and reported', async () => {
  const { url, db } = await testDatabase()
  const { notices, gaps } = listen(url)
  await until(() => gaps.count === 1)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like 'listen%'`.execute(db)
  await until(() => gaps.count === 2)
  await notify(db, { kind: 'tasks' })
  await until(() => notices.length > 0)
  expect(notices).toEqual([{ kind: 'tasks' }])
})

test('one connection serves all listeners of a process, and unknown notifications are ignored', async () => {
  const { url, db } = await testDatabase()
  const [first, second] = [listen(url), listen(url)]
  await until(() => first.gaps.count === 1)
  await sql`select pg_notify('rowferry', '{"kind":"from the future"}')`.execute(db)
  await sql`select pg_notify('rowferry', 'not json')`.execute(db)
  await notify(db, { kind: 'tasks' })
  await until(() => first.notices.length > 0 && second.notices.length > 0)
  expect([first.notices, second.notices]).toEqual([[{ kind: 'tasks' }], [{ kind: 'tasks' }]])
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and application_name like '% listen'`.execute(db)
  expect(rows).toHaveLength(1)
  await first.close()
  await notify(db, { kind: 'jobs' })
  await until(() => second.notices.length > 1)
  expect(first.notices).toHaveLength(1)
})
