import { describe, expect, test } from 'vitest'
import { databasePerTest } from '../../../test/fixtures/database.ts'
import {
  addTasks,
  done,
  handlerOf,
  logOf,
  runOf,
  startEngine,
  untilInterrupted,
} from '../../../test/fixtures/engine.ts'
import { queueRun } from '../../../test/fixtures/run-requests.ts'
import { RunFailure, RunInterruption } from './types.ts'

const database = databasePerTest()

describe('a run', () => {
  test('goes from queued to success and stores its log, message and receipt', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1)
    const engine = await startEngine(database, [
      handlerOf(async (context) => {
        await context.assertLease()
        await context.progress({ phase: 'Reading', rows_done: 5, rows_total: 10 })
        await context.log('INFO', 'Read 5 rows')
        return { message: 'Copied 5 rows', receipt: { rows: 5 } }
      }),
    ])
    const [task = 0] = task_ids
    const queued = await engine.queueRun(task)
    const run = await runOf(db, task)
    expect(run).toMatchObject({
      state: 'success',
      message: 'Copied 5 rows',
      receipt: { rows: 5 },
      attempts: 1,
    })
    expect(queued).toEqual({ ok: true, run_id: run.id })
    const pointers = db.selectFrom('tasks').select(['last_run_id', 'last_success_run_id'])
    expect(await pointers.execute()).toEqual([{ last_run_id: run.id, last_success_run_id: run.id }])
    expect(await logOf(db, task)).toEqual([
      'INFO Run started, requested by ada@example.com',
      'INFO Read 5 rows',
      'SUCCESS Copied 5 rows',
    ])
  })

  test('whose worker shuts down continues on another one without counting a lost worker', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1)
    const [task = 0] = task_ids
    const engine = await startEngine(database, [
      handlerOf(async (context) => {
        await context.log('INFO', 'at work')
        return untilInterrupted(context.signal)
      }),
    ])
    await engine.queueRun(task)
    await logged(task, 'INFO at work')
    await engine.stop()
    await startEngine(database, [handlerOf(async () => done)])
    expect(await runOf(db, task)).toMatchObject({ state: 'success', attempts: 1, redeliveries: 0 })
    expect(await logOf(db, task)).toContain('INFO The worker shuts down; another resumes the run.')
  })

  test('is queued once for any number of simultaneous requests', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1)
    const [task = 0] = task_ids
    const asked = await Promise.all(
      Array.from({ length: 50 }, () => queueRun(db, [handlerOf(async () => done)], task)),
    )
    expect(asked.filter(({ ok }) => ok)).toHaveLength(1)
    expect(asked.filter((reply) => !reply.ok && reply.reason === 'live')).toHaveLength(49)
    const runs = await db.selectFrom('runs').select('id').execute()
    expect(runs).toHaveLength(1)
  })

  test('of an inactive or missing task is not queued', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1)
    const [task = 0] = task_ids
    await db.updateTable('tasks').set({ is_active: false }).where('id', '=', task).execute()
    const handlers = [handlerOf(async () => done)]
    expect(await queueRun(db, handlers, task)).toEqual({
      ok: false,
      reason: 'inactive',
    })
    expect(await queueRun(db, handlers, 999_999)).toEqual({
      ok: false,
      reason: 'not_found',
    })
  })

  test('commits what its handler commits together with its success, or neither', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 2)
    const [good = 0, bad = 0] = task_ids
    const engine = await startEngine(database, [
      handlerOf(async ({ run }) => ({
        ...done,
        commit: async (trx) => {
          await trx.updateTable('tasks').set({ snapshot_id: 7 }).where('id', '=', run.task_id).execute()
          if (run.task_id === bad) throw new RunFailure('The spreadsheet is gone.', { retryable: false })
        },
      })),
    ])
    for (const task_id of task_ids) await engine.queueRun(task_id)
    expect((await runOf(db, good)).state).toBe('success')
    expect(await runOf(db, bad)).toMatchObject({ state: 'failed', error: 'The spreadsheet is gone.' })
    const tasks = await db
      .selectFrom('tasks')
      .select(['id', 'snapshot_id', 'last_success_run_id'])
      .orderBy('id')
      .execute()
    expect(tasks).toMatchObject([{ snapshot_id: 7 }, { snapshot_id: null, last_success_run_id: null }])
  })
})

describe('a failure', () => {
  test('of an earlier attempt is no error of a run that succeeds; the log keeps it', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1, { max_retries: 1, retry_delay_seconds: 0 })
    const [task = 0] = task_ids
    const errors: (string | null)[] = []
    const engine = await startEngine(database, [
      handlerOf(async () => {
        errors.push((await runOf(db, task, ['running'])).error)
        if (errors.length === 1) throw new RunFailure('Google is busy.', { retryable: true })
        return done
      }),
    ])
    await engine.queueRun(task)
    expect(await runOf(db, task)).toMatchObject({ state: 'success', attempts: 2, error: null })
    expect(errors).toEqual([null, 'Google is busy.'])
    expect((await logOf(db, task)).join()).toContain('Attempt 1 of 2 failed')
  })

  test('that is transient is retried as often as the type allows, and frees its slot meanwhile', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 2, { max_retries: 2, retry_delay_seconds: 1 })
    const [failing = 0, other = 0] = task_ids
    const ended: string[] = []
    const engine = await startEngine(database, [
      handlerOf(async ({ run }) => {
        ended.push(run.task_id === failing ? 'failing' : 'other')
        if (run.task_id === failing) throw new RunFailure('Google is busy.', { retryable: true })
        return done
      }),
    ])
    await engine.queueRun(failing)
    await runOf(db, failing, ['queued', 'running'])
    await engine.queueRun(other)
    const run = await runOf(db, failing)
    expect(run).toMatchObject({
      state: 'failed',
      attempts: 3,
      error: 'Google is busy. Given up after 3 attempts.',
    })
    expect(ended).toEqual(['failing', 'other', 'failing', 'failing'])
    expect(await logOf(db, failing)).toEqual([
      'INFO Run started, requested by ada@example.com',
      'WARNING Attempt 1 of 3 failed, the next one starts in 1 second: Google is busy.',
      'INFO Attempt 2 of 3 started',
      'WARNING Attempt 2 of 3 failed, the next one starts in 1 second: Google is busy.',
      'INFO Attempt 3 of 3 started',
      'ERROR Google is busy. Given up after 3 attempts.',
    ])
  })

  test('that is permanent ends the run at once', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1)
    const [task = 0] = task_ids
    const engine = await startEngine(database, [
      handlerOf(async () => {
        throw new RunFailure('There is no such spreadsheet.', { retryable: false })
      }),
    ])
    await engine.queueRun(task)
    expect(await runOf(db, task)).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: 'There is no such spreadsheet.',
    })
  })

  test("that is unexpected is an error whose text is not in the task's log", async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1)
    const [task = 0] = task_ids
    const engine = await startEngine(database, [
      handlerOf(async () => {
        throw new TypeError('secret is not a function')
      }),
    ])
    await engine.queueRun(task)
    const run = await runOf(db, task)
    expect(run.state).toBe('error')
    expect(await logOf(db, task)).toEqual([
      'INFO Run started, requested by ada@example.com',
      `ERROR Unexpected error. The server log has the details under run ${run.id}.`,
    ])
  })

  test('of a run that exceeds the time limit of its type is not retried', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1, { timeout_minutes: 1 })
    const [task = 0] = task_ids
    const handlers = [handlerOf(({ signal }) => untilInterrupted(signal))]
    await queueRun(db, handlers, task)
    // Another worker started the attempt 59.8 s ago.
    await db
      .updateTable('runs')
      .set({ attempt_started_at: new Date(Date.now() - 59_800), attempts: 1 })
      .execute()
    await startEngine(database, handlers)
    expect(await runOf(db, task)).toMatchObject({
      state: 'failed',
      error: 'The run took longer than its time limit of 1 minute.',
    })
  })
})

describe('stop', () => {
  test('ends a run that waits at once', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 2)
    const [busy = 0, waiting = 0] = task_ids
    const engine = await startEngine(database, [handlerOf(({ signal }) => untilInterrupted(signal))])
    await engine.queueRun(busy)
    await runOf(db, busy, ['running'])
    await engine.queueRun(waiting)
    expect(await engine.stopRun(waiting)).toBe('stopped')
    expect((await runOf(db, waiting, ['stopped'])).finished_at).not.toBeNull()
    expect(await logOf(db, waiting)).toEqual(['WARNING Stopped by bob@example.com'])
  })

  test('ends a running run as soon as its handler returns', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1)
    const [task = 0] = task_ids
    const reasons: unknown[] = []
    const engine = await startEngine(database, [
      handlerOf(async (context) => {
        await context.log('INFO', 'at work')
        return untilInterrupted(context.signal).catch((reason: unknown) => {
          reasons.push(reason)
          throw new Error('The request was aborted')
        })
      }),
    ])
    await engine.queueRun(task)
    await logged(task, 'INFO at work')
    expect(await engine.stopRun(task)).toBe('stopping')
    expect(await runOf(db, task)).toMatchObject({ state: 'stopped' })
    expect(reasons).toEqual([new RunInterruption('stop')])
    expect((await logOf(db, task)).slice(2)).toEqual([
      'WARNING bob@example.com asked to stop the run',
      'WARNING Stopped by bob@example.com',
    ])
  })

  test('of a task that waits for its next attempt cancels that: its run stays failed, and the task counts as stopped', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1, { retry_delay_seconds: 600 })
    const [task = 0] = task_ids
    const engine = await startEngine(database, [
      handlerOf(async () => {
        throw new RunFailure('Google is busy.', { retryable: true })
      }),
    ])
    await engine.queueRun(task)
    await logged(task, 'WARNING Attempt 1 of 4 failed, the next one starts in 10 minutes: Google is busy.')
    expect(await engine.stopRun(task)).toBe('cancelled')
    const run = await runOf(db, task)
    expect(run).toMatchObject({ state: 'failed', attempts: 1, error: 'Google is busy.' })
    expect(await stoppedRunOf(task)).toBe(run.id)
    expect((await logOf(db, task)).at(-1)).toBe('WARNING Stopped by bob@example.com')
    expect(await engine.stopRun(task)).toBe('nothing')
  })

  test('of a failed task without a pending attempt, or of an idle task, changes nothing', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1)
    const [task = 0] = task_ids
    const engine = await startEngine(database, [
      handlerOf(async () => {
        throw new RunFailure('There is no such spreadsheet.', { retryable: false })
      }),
    ])
    expect(await engine.stopRun(task)).toBe('nothing')
    await engine.queueRun(task)
    const run = await runOf(db, task, ['failed'])
    const log = await logOf(db, task)
    expect(await engine.stopRun(task)).toBe('nothing')
    expect(await runOf(db, task)).toMatchObject({ id: run.id, state: 'failed' })
    expect(await stoppedRunOf(task)).toBeNull()
    expect(await logOf(db, task)).toEqual(log)
  })
})

async function stoppedRunOf(task: number): Promise<number | null> {
  const { stopped_run_id } = await database.db
    .selectFrom('tasks')
    .select('stopped_run_id')
    .where('id', '=', task)
    .executeTakeFirstOrThrow()
  return stopped_run_id
}

async function logged(task: number, line: string): Promise<void> {
  while (!(await logOf(database.db, task)).includes(line))
    await new Promise((resolve) => setTimeout(resolve, 20))
}
