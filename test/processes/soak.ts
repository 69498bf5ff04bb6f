import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { randomFrom } from './chaos.ts'
import { checkCopies } from './check-copies.ts'
import { SoakWorld } from './soak-world.ts'

const RECOVERY_TIMEOUT_S = 240
const MINUTE_MS = 60_000

/** A sequence of faults, or the duration for which to choose faults at random. */
type Plan = { faults: readonly string[] } | { milliseconds: number }

/** Runs twenty tasks of all three categories under faults and checks the promises L, W, O, D, R and S of docs/reliability.md. */
export async function soak(seed: number, plan: Plan): Promise<void> {
  const random = randomFrom(seed)
  const world = await SoakWorld.open(random)
  const counts = await injectFaults(world, random, plan)
  const seconds = await world.recover(RECOVERY_TIMEOUT_S)
  const over = new Date()
  await check(world, over)
  for (const { current, expected } of await world.runWithoutFaults()) expect(current).toEqual(expected)
  const minutes = (over.getTime() - world.since.getTime()) / MINUTE_MS
  console.log(
    `seed ${seed}, ${minutes.toFixed(1)} minutes: ${JSON.stringify(counts)}; runs ${JSON.stringify(await world.fleet.states())}; recovered ${seconds.toFixed(1)} s after the last`,
  )
  await Promise.all([...world.members.values()].map((member) => member.end()))
}

async function injectFaults(
  world: SoakWorld,
  random: () => number,
  plan: Plan,
): Promise<Record<string, number>> {
  const names = Object.keys(world.faults)
  const until = performance.now() + ('milliseconds' in plan ? plan.milliseconds : 0)
  const planned = 'faults' in plan ? [...plan.faults] : []
  const counts: Record<string, number> = {}
  for (;;) {
    const name = 'faults' in plan ? planned.shift() : names[Math.floor(random() * names.length)]
    if (name === undefined || ('milliseconds' in plan && performance.now() > until)) return counts
    for (let n = 0; n < 3; n += 1) await world.act()
    await delay(500 + random() * 2_500)
    counts[name] = (counts[name] ?? 0) + 1
    const inject = world.faults[name]
    if (!inject) throw new Error(`Nothing is called “${name}”`)
    await Promise.all([inject(), world.act()])
  }
}

async function check(world: SoakWorld, over: Date): Promise<void> {
  const { fleet, copies } = world
  const { db } = fleet
  const runs = await db.selectFrom('runs').selectAll().execute()

  // L: every acknowledged request has a run, and every run has a request.
  const manual = runs.filter(({ trigger }) => trigger === 'manual').length
  expect(manual).toBeGreaterThanOrEqual(world.accepted)
  expect(manual).toBeLessThanOrEqual(world.accepted + world.ambiguous)

  await checkCopies(fleet, copies, runs)

  // D: every minute in which a task was due has exactly one occurrence, started or missed.
  const last = new Date(Math.floor(over.getTime() / MINUTE_MS - 2) * MINUTE_MS)
  for (const { task_id } of world.due) {
    const { rows: wrong } = await sql<{ minute: Date; moments: number }>`
      select minute, count(m.id)::int as moments
      from generate_series(date_trunc('minute', ${world.since}::timestamptz) + interval '2 minutes',
        ${last}::timestamptz, interval '1 minute') minute
      left join due_moments m on m.task_id = ${task_id} and minute between m.due_at and m.last_due_at
      group by minute having count(m.id) <> 1`.execute(db)
    expect(wrong).toEqual([])
  }
  const undecided = await db.selectFrom('due_moments').select('id').where('outcome', 'is', null).execute()
  expect(undecided).toEqual([])

  // R: only a run that lost three workers to random faults may end as Error.
  const errors = runs.filter(({ state, redeliveries }) => state === 'error' && redeliveries < 2)
  expect(errors).toEqual([])

  // S: no process exited unexpectedly, and none logged a secret.
  const alive = await Promise.all([...world.members.values()].map((member) => isAlive(member.pid)))
  expect(alive).not.toContain(false)
  for (const member of world.born) {
    expect(member.output()).not.toMatch(/Unexpected failure|UnhandledPromise/)
    expect(member.output()).not.toMatch(/a key of the tests|ya29\.|refresh_token=/)
  }
}

const isAlive = (pid: number): boolean => process.kill(pid, 0)
