import { expect, test } from 'vitest'
import { lockWaits } from '../../../../test/fixtures/database.ts'
import { depend, done, handlerOf } from '../../../../test/fixtures/engine.ts'
import { handlers, log, minutesAgo, scheduledDatabase, zone } from '../../../../test/fixtures/schedules.ts'
import { until } from '../../../../test/processes/processes.ts'
import { RunFailure, type RunHandler } from '../types.ts'
import { recordDue } from './record-due.ts'
import { startDue } from './start-due.ts'

const { database, scheduledTasks, lastLook, occurrences } = scheduledDatabase()

test('a task that cannot be queued does not delay others', async () => {
  const { db } = database
  const { task_ids } = await scheduledTasks(2, [minutesAgo(2)])
  const [bad = 0] = task_ids
  const picky: RunHandler = {
    ...handlerOf(async () => done),
    snapshotDefinition: async (_trx, task_ids) => {
      if (task_ids.includes(bad)) throw new RunFailure('The configuration is gone.', { retryable: false })
      return new Map(task_ids.map((id) => [id, { definition: {}, exclusive_key: null }]))
    },
  }
  await lastLook(5)
  await recordDue(db, zone)
  await startDue({ db, handlers: [picky], log, zone })
  expect(await occurrences()).toMatchObject([
    { outcome: 'missed', reason: 'it could not be queued' },
    { outcome: 'started' },
  ])
})

test('two schedulers that start what is due at once start each occurrence once, prerequisites first', async () => {
  const { db } = database
  const due = [minutesAgo(2)]
  // Added in reverse order.
  const copies = await scheduledTasks(2, due, { name: 'Copy' })
  const sources = await scheduledTasks(2, due, { name: 'Prices', category: 'source' })
  await depend(database.db, copies.type_id, sources.type_id)
  await lastLook(5)
  await recordDue(db, zone)

  // The second one starts before the first commits, and continues when its runs are over.
  const begun = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const first = startDue({
    db,
    handlers: pausing(async () => {
      begun.resolve()
      await until('the second one waits', async () => (await lockWaits(database.db)) > 0)
    }),
    log,
    zone,
  })
  await begun.promise
  const second = startDue({ db, handlers: pausing(() => over.promise), log, zone })
  await first
  await db.updateTable('runs').set({ state: 'success', finished_at: new Date() }).execute()
  over.resolve()
  await second
  const runs = await db.selectFrom('runs').select('task_id').orderBy('id').execute()
  expect(runs.map(({ task_id }) => task_id)).toEqual([...sources.task_ids, ...copies.task_ids])
})

/** Handlers that call this before they read their definitions. */
const pausing = (pause: () => Promise<void>): RunHandler[] =>
  handlers.map((handler) => ({
    ...handler,
    snapshotDefinition: async (trx, task_ids) => {
      await pause()
      return handler.snapshotDefinition(trx, task_ids)
    },
  }))
