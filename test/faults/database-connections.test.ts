import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { syncTasks } from '../../src/contract/sync-tasks/calls.ts'
import { control } from '../fakes/sandbox.ts'
import { TcpProxy } from '../fakes/tcp-proxy.ts'
import { lockWaits } from '../fixtures/database.ts'
import type { Send } from '../fixtures/person.ts'
import { type Copy, Fleet, type Member } from '../processes/fleet.ts'
import { until } from '../processes/processes.ts'

const COPIES = 6

let fleet: Fleet
let proxy: TcpProxy
let members: Member[]
let send: Send

beforeEach(async () => {
  fleet = await Fleet.open(
    {},
    {
      portFor: async (port) => {
        proxy = await TcpProxy.before(port)
        return proxy.port
      },
    },
  )
  onTestFinished(fleet.close)
  onTestFinished(() => proxy.close())
  members = [await fleet.start('api')]
  send = (await fleet.people()).send
})

async function queue(copies: readonly Copy[]): Promise<void> {
  const { method, path, reply } = syncTasks.execute
  for (const { task_id } of copies) await send(method, path.replace(':id', String(task_id)), reply)
}

/** Queues the copies and waits until several are running. */
async function atWork(): Promise<Copy[]> {
  members.push(await fleet.start('worker'), await fleet.start('worker,scheduler'))
  const copies = await fleet.copies(send, COPIES)
  await control(fleet.root, 'PUT', 'latency', { ms: 500, jitter_ms: 500 })
  await queue(copies)
  await until('several are at work', async () => ((await fleet.states()).running ?? 0) >= 3)
  return copies
}

/** Waits until every run has ended once in Success and the api replies; returns the duration. */
async function recover(copies: readonly Copy[]): Promise<void> {
  const since = performance.now()
  await until('all have ended', async () => {
    const { queued = 0, running = 0, stopping = 0 } = await fleet.states()
    return queued + running + stopping === 0
  })
  const ended = performance.now()
  await until('the api answers', async () => (await fetch(`${members[0]?.root}/readyz`)).ok)
  const seconds = (ms: number) => ((ms - since) / 1000).toFixed(1)
  console.log(`all ended after ${seconds(ended)} s, the api answers after ${seconds(performance.now())} s`)
  expect(await fleet.states()).toEqual({ success: copies.length })
  for (const copy of copies) expect(await fleet.currentRows(copy)).toEqual(copy.after)
  await Promise.all(members.map((member) => member.end()))
}

test('if packets of every database connection are dropped silently, runs succeed and the api recovers', async () => {
  const copies = await atWork()
  const silenced = proxy.connections
  proxy.silence()
  console.log(`${silenced} connections silenced`)
  await recover(copies)
})

test('after half a minute without a reachable database, packets dropped silently, everything continues', async () => {
  const copies = await atWork()
  proxy.blackhole()
  await delay(30_000)
  proxy.resume()
  await recover(copies)
})

test('after connections are cut, and later closed by the server, everything continues', async () => {
  const copies = await atWork()
  proxy.cut()
  await until('they are at work again', async () => proxy.connections > 5)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(fleet.db)
  await recover(copies)
})

// The server terminates the idle transaction, and that message is dropped as well, so no session is left to query for.
test('runs start even if packets of every connection are dropped silently during an admission', async () => {
  const copies = await fleet.copies(send, COPIES)
  await queue(copies)
  await fleet.db.transaction().execute(async (trx) => {
    await sql`lock table task_type_dependencies in access exclusive mode`.execute(trx)
    members.push(await fleet.start('worker,scheduler'))
    await until('an admission has begun', async () => (await lockWaits(fleet.db)) > 0)
    proxy.silence()
  })
  await recover(copies)
})
