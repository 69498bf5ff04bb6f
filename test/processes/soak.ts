import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { randomFrom } from './chaos.ts'
import { judgeCopies } from './judge-copies.ts'
import { SoakWorld } from './soak-world.ts'

const LONGEST_RECOVERY_S = 240
const MINUTE_MS = 60_000

/** The faults in their order; or for how long to choose them at random. */
type Plan = { strikes: readonly string[] } | { milliseconds: number }

/** Twenty tasks of all three categories under faults, checked against L, W, O, D, R and S of docs/reliability.md. */
export async function soak(seed: number, plan: Plan): Promise<void> {
  const random = randomFrom(seed)
  const world = await SoakWorld.open(random)
  const counts = await strike(world, random, plan)
  const seconds = await world.recover(LONGEST_RECOVERY_S)
  const over = new Date()
  await judge(world, over)
  for (const { held, expected } of await world.calmRound()) expect(held).toEqual(expected)
  const minutes = (over.getTime() - world.since.getTime()) / MINUTE_MS
  console.log(
    `seed ${seed}, ${minutes.toFixed(1)} minutes: ${JSON.stringify(counts)}; runs ${JSON.stringify(await world.fleet.states())}; recovered ${seconds.toFixed(1)} s after the last`,
  )
  await Promise.all([...world.members.values()].map((member) => member.end()))
}

async function strike(world: SoakWorld, random: () => number, plan: Plan): Promise<Record<string, number>> {
  const names = Object.keys(world.strikes)
  const until = performance.now() + ('milliseconds' in plan ? plan.milliseconds : 0)
  const planned = 'strikes' in plan ? [...plan.strikes] : []
  const counts: Record<string, number> = {}
  for (;;) {
    const name = 'strikes' in plan ? planned.shift() : names[Math.floor(random() * names.length)]
    if (name === undefined || ('milliseconds' in plan && performance.now() > until)) return counts
    for (let n = 0; n < 3; n += 1) await world.act()
    await delay(500 + random() * 2_500)
    counts[name] = (counts[name] ?? 0) + 1
    const strikeOf = world.strikes[name]
    if (!strikeOf) throw new Error(`Nothing is called “${name}”`)
    await Promise.all([strikeOf(), world.act()])
  }
}

async function judge(world: SoakWorld, over: Date): Promise<void> {
  const { fleet, copies } = world
  const { db } = fleet
  const runs = await db.selectFrom('runs').selectAll().execute()

  // L: each press that was acknowledged is a run, and none came from nowhere.
  const manual = runs.filter(({ trigger }) => trigger === 'manual').length
  expect(manual).toBeGreaterThanOrEqual(world.accepted)
  expect(manual).toBeLessThanOrEqual(world.accepted + world.ambiguous)

  await judgeCopies(fleet, copies, runs)

  // D: each minute of each task that was due then is one occurrence, started or missed.
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

  // R: only who lost three workers to the dice may end as Error.
  const errors = runs.filter(({ state, redeliveries }) => state === 'error' && redeliveries < 2)
  expect(errors).toEqual([])

  // S: no process ended by itself, and none logged a secret.
  const alive = await Promise.all([...world.members.values()].map((member) => isAlive(member.pid)))
  expect(alive).not.toContain(false)
  for (const member of world.born) {
    expect(member.output()).not.toMatch(/Unexpected failure|UnhandledPromise/)
    expect(member.output()).not.toMatch(/a key of the tests|ya29\.|refresh_token=/)
  }
}

const isAlive = (pid: number): boolean => process.kill(pid, 0)
