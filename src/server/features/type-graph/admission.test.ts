import { sql } from 'kysely'
import pino from 'pino'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { done, handlerOf } from '../../../../test/fixtures/engine.ts'
import { aRun, aType } from '../../../../test/fixtures/factories.ts'
import { until } from '../../../../test/processes/processes.ts'
import { TypeGraph } from '../../../contract/type-graph/calls.ts'
import { unmetMessage } from '../../engine/admissible.ts'
import { admit } from '../../engine/admit.ts'
import { startDelivery } from '../../engine/delivery.ts'
import { countWorkers, registerWorker } from '../../engine/workers.ts'
import type { RunState, TaskCategory } from '../../platform/schema.ts'
import { taskStates } from '../../tasks/list/task-states.ts'

// Compares the graph with the engine: over random types with runs in every state, the graph's statement about a type has to match
// the next admission.

const FORESTS = 12
const TYPES = 9
const live = ['queued', 'running', 'stopping'] as const
const ended = ['success', 'warning', 'failed', 'error', 'stopped'] as const

/** Deterministic numbers from 0 to 1 for a seed. */
function chances(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
  return {
    often: (share: number) => next() < share,
    upTo: (n: number) => Math.floor(next() * (n + 1)),
    one: <T>(of: readonly [T, ...T[]]): T => of[Math.floor(next() * of.length)] ?? of[0],
  }
}

type Chances = ReturnType<typeof chances>
type Db = TestApp['db']
type Task = { id: number; type_id: number; category: TaskCategory; is_active: boolean }

/** Types that depend on earlier ones, and their tasks, in an order that has nothing to do with it. */
async function plant(db: Db, { often, upTo, one }: Chances): Promise<Task[]> {
  const types: { id: number; category: TaskCategory }[] = []
  for (let n = 0; n < TYPES; n += 1) {
    const category = one<TaskCategory>(['sync', 'sync', 'source', 'compiler'])
    const { id } = await aType(db, {
      category,
      allowed_concurrent_tasks: 1 + upTo(1),
      ...(often(0.2) && { queue_delay_seconds: 3600, last_admitted_at: new Date() }),
    })
    const before = types.map((type) => type.id).sort(() => (often(0.5) ? 1 : -1))
    for (const [position, depends_on_id] of before.slice(0, upTo(2)).entries())
      await db
        .insertInto('task_type_dependencies')
        .values({
          task_type_id: id,
          depends_on_id,
          condition: one<'success' | 'completion'>(['success', 'completion']),
          position,
        })
        .execute()
    types.push({ id, category })
  }
  const tasks: Task[] = []
  for (const type of [...types, ...types, ...types].sort(() => (often(0.5) ? 1 : -1))) {
    if (often(0.3)) continue
    const is_active = often(0.8)
    const task = await db
      .insertInto('tasks')
      .values({
        category: type.category,
        task_type_id: type.id,
        name: `Task ${tasks.length}`,
        sort_order: 1,
        is_active,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    tasks.push({ id: task.id, type_id: type.id, category: type.category, is_active })
  }
  return tasks
}

/** History for each task: ended and live runs, and occurrences of its schedule. */
async function giveThemAPast(db: Db, { often, one }: Chances, tasks: Task[], at_rest: number): Promise<void> {
  const key = 'the only key'
  let taken = false
  for (const { id, type_id, category } of tasks) {
    const run = (state: RunState, fields = {}) =>
      aRun(db, id, { state, category, task_type_id: type_id, ...fields })
    if (often(0.2))
      await db
        .insertInto('due_moments')
        .values({
          schedule: 'all',
          task_id: id,
          due_at: new Date(),
          last_due_at: new Date(),
          stage: 0,
          outcome: 'missed',
        })
        .execute()
    if (often(0.6)) {
      const { id: run_id } = await run(
        one(ended),
        often(0.3) ? { warnings: '[{"id":"blank","message":"A blank"}]' } : {},
      )
      if (often(0.2))
        await db.updateTable('tasks').set({ stopped_run_id: run_id }).where('id', '=', id).execute()
      if (often(0.5))
        await db
          .insertInto('acknowledged_warnings')
          .values({ task_id: id, warning_id: 'blank', acknowledged_by: 'ada@example.com' })
          .execute()
    }
    if (often(at_rest)) continue
    const state = one(live)
    if (state !== 'queued') {
      await run(state, { exclusive_key: taken ? null : key })
      taken = true
    } else if (often(0.2)) await run(state, { not_before: sql<Date>`now() + interval '1 hour'` })
    else await run(state, { exclusive_key: taken && often(0.3) ? key : null })
  }
}

const statesOf = async (db: Db) => {
  const runs = await db
    .selectFrom('runs')
    .select(['id', 'task_type_id', 'state', 'error'])
    .orderBy('id')
    .execute()
  return new Map(runs.map((run) => [run.id, run]))
}

test('the graph agrees with the engine’s admission for random types with runs in every state', {
  timeout: 180_000,
}, async () => {
  const { db, database, signIn } = await testApp()
  const ada = await signIn()
  const graph = async () =>
    TypeGraph.parse((await ada.request('GET', '/api/unified_task_types/graph')).json())
  const log = pino({ level: 'silent' })
  const boss = await startDelivery({ databaseUrl: database.url, supervise: false, log })
  // No worker compiles.
  const handlers = (['sync', 'source'] as const).map((category) => handlerOf(async () => done, { category }))
  const worker = registerWorker({ db, name: 'here', handlers, log, onSeen: () => {} })
  await until('a worker is there', async () => (await countWorkers(db, 'source')) > 0)
  const admitOnce = () => admit(db, boss)
  const seen = new Set<string>()

  for (let seed = 1; seed <= FORESTS; seed += 1) {
    for (const table of [
      'due_moments',
      'acknowledged_warnings',
      'runs',
      'tasks',
      'task_type_dependencies',
      'task_types',
    ] as const)
      await db.deleteFrom(table).execute()
    const chance = chances(seed)
    const tasks = await plant(db, chance)
    await giveThemAPast(db, chance, tasks, seed % 2 === 0 ? 0.5 : 0.75)

    const shown = await graph()
    const states = await taskStates(
      db,
      tasks.map(({ id }) => id),
    )
    for (const node of shown.nodes) {
      const words = tasks
        .filter(({ type_id }) => type_id === node.id)
        .map(({ id }) => states.get(id)?.state ?? 'never_run')
      for (const [word, count] of Object.entries(node.counts))
        expect([seed, node.name, word, count]).toEqual([
          seed,
          node.name,
          word,
          words.filter((one) => one === word).length,
        ])
    }

    const before = await statesOf(db)
    await admitOnce()
    const after = await statesOf(db)
    for (const node of shown.nodes) {
      const queued = [...before.values()].filter(
        ({ task_type_id, state }) => task_type_id === node.id && state === 'queued',
      )
      expect(node.queue.reduce((sum, { runs }) => sum + runs, 0)).toBe(queued.length)
      const moved = queued.map(({ id }) => after.get(id)).filter((run) => run?.state !== 'queued')
      const turn = node.queue.find(({ wait }) => wait.for === 'turn')
      const place = `forest ${seed}, ${node.name}, ${JSON.stringify(node)}`
      if (turn === undefined) expect(moved, place).toEqual([])
      else {
        expect(moved.length, place).toBeGreaterThan(0)
        expect(moved.length, place).toBeLessThanOrEqual(turn.runs)
        const verdict =
          node.unmet.length > 0 ? { state: 'failed', error: unmetMessage(node.unmet) } : { state: 'running' }
        for (const run of moved) expect(run, place).toMatchObject(verdict)
      }
      for (const { wait } of node.queue) seen.add(wait.for)
    }

    // Also checks types without queued tasks, by Run Group.
    for (const { id: type_id } of shown.nodes.toReversed()) {
      const idle = [
        ...(
          await taskStates(
            db,
            tasks.filter((task) => task.type_id === type_id && task.is_active).map(({ id }) => id),
          )
        ).values(),
      ].find(({ state }) => !live.some((one) => one === state))
      const task = tasks.find(({ id }) => id === idle?.id)
      if (!task) continue
      const node = (await graph()).nodes.find(({ id }) => id === type_id)
      const run = await aRun(db, task.id, { category: task.category, task_type_id: type_id })
      const asked = (await graph()).nodes.find(({ id }) => id === type_id)
      expect(asked).toMatchObject({ ahead: node?.ahead, unmet: node?.unmet })
      for (const { wait } of asked?.queue ?? []) seen.add(wait.for)
      const is_next = asked?.queue.some(({ wait }) => wait.for === 'turn')
      await admitOnce()
      const { state } = (await statesOf(db)).get(run.id) ?? {}
      const place = `forest ${seed}, ${JSON.stringify(asked)}`
      if (node?.ahead.length) expect(state, place).toBe('queued')
      else if (!is_next) expect(state, place).toBe('queued')
      else if (node?.unmet.length) expect(['failed', 'queued'], place).toContain(state)
      else expect(['running', 'queued'], place).toContain(state)
      seen.add(`${state} ${Boolean(node?.ahead.length)} ${Boolean(node?.unmet.length)}`)
    }
  }
  // Every kind of wait came up, and every verdict.
  expect([...seen].sort()).toEqual(
    expect.arrayContaining(['delay', 'exclusive', 'prerequisites', 'retry', 'slot', 'turn', 'worker']),
  )
  expect([...seen]).toEqual(
    expect.arrayContaining(['failed false true', 'running false false', 'queued true false']),
  )
  await worker.stop()
  await boss.stop({ graceful: false })
})
