// Compares the forecast of a night to its execution under Google's quota (300 reads and writes per minute, 60 of each per account,
// 400 ms per reply). All tasks are due in the same minute, and the forecast uses the runs of the previous night. Aims: predicted number
// of requests and finish time within 10 %. 400 tasks of 3 accounts take a quarter of an hour.
//   node bench/forecast.ts [tasks] [accounts] [workers] [rows] [columns]
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { googleQuota } from '../src/server/connectors/google-sheets/client/quota.ts'
import { createDb } from '../src/server/platform/db.ts'
import { readPlan } from '../src/server/tasks/forecast/read-plan.ts'
import { simulateRuns } from '../src/server/tasks/forecast/simulate-runs.ts'
import { addCopies, operators, runAll } from './copies.ts'
import { report } from './figures.ts'
import { control, startApp } from './fleet-app.ts'

const argument = (place: number, otherwise: number) => Number(process.argv[2 + place] ?? otherwise)
const tasks = argument(0, 400)
const accounts = argument(1, 3)
const workers = argument(2, 2)
const rows = argument(3, 200)
const columns = argument(4, 5)

const ZONE = 'America/New_York'
const LATENCY_MS = 400
const LIMIT = { account: 60, project: 300 }
// Default of one worker.
const CONCURRENCY = 10
const MINUTE_MS = 60_000

const app = await startApp(workers)
const db = createDb({ url: app.database_url, max: 2 })
try {
  const emails = operators(accounts)
  const atATime = CONCURRENCY * workers
  const send = await addCopies(app, { tasks, rows, columns, emails, at_a_time: atATime })
  await runAll(send)
  // The first copies write their tables and are not representative; later ones find them unchanged, as on an ordinary night.
  await sql`update runs set receipt = null`.execute(db)
  await setGoogle('PUT', 'latency', { ms: LATENCY_MS })
  await setGoogle('PUT', 'quotas', { enabled: true, per_project: LIMIT.project, per_user: LIMIT.account })
  await delay(googleQuota.window_ms)
  await runAll(send)
  await delay(googleQuota.window_ms)
  await setGoogle('POST', 'reset', {})
  await setGoogle('PUT', 'latency', { ms: LATENCY_MS })
  await setGoogle('PUT', 'quotas', { enabled: true, per_project: LIMIT.project, per_user: LIMIT.account })

  const due = new Date(Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + MINUTE_MS)
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'short' })
  await sql`update tasks set scheduled_times = ${[clock.format(due)]}`.execute(db)
  const predicted = await predict(due)
  const actual = await carryOut(due)
  console.log(`${tasks} tasks of ${accounts} accounts, ${workers} workers, due at ${due.toISOString()}`)
  console.log(`requests:    ${predicted.requests} predicted, ${actual.requests} made`)
  console.log(
    `finish:      ${predicted.seconds.toFixed(0)} s predicted, ${actual.seconds.toFixed(0)} s taken`,
  )
  report({
    what: 'error of the predicted requests',
    value: off(predicted.requests, actual.requests),
    limit: 0.1,
  })
  report({ what: 'error of the predicted finish', value: off(predicted.seconds, actual.seconds), limit: 0.1 })
} finally {
  await db.destroy()
  await app.stop()
}

function off(predicted: number, actual: number): number {
  return Math.abs(predicted / actual - 1)
}

async function setGoogle(method: string, path: string, body: object): Promise<void> {
  await control(app.google, { method, path, body }, z.unknown())
}

async function predict(at: Date): Promise<{ requests: number; seconds: number }> {
  const { types, runs } = await readPlan(db, ZONE)
  const planned = runs('median').filter(({ due_at }) => due_at === at.getTime())
  const results = simulateRuns(planned, types, { quota: googleQuota, capacity: CONCURRENCY * workers })
  const last = Math.max(...results.map(({ finished_at }) => finished_at))
  return {
    requests: planned.reduce((sum, { reads, writes }) => sum + reads + writes, 0),
    seconds: (last - at.getTime()) / 1000,
  }
}

async function carryOut(at: Date): Promise<{ requests: number; seconds: number }> {
  for (;;) {
    const { rows: found } = await sql<{ ended: number; seconds: number }>`
      select count(*)::int as ended, coalesce(extract(epoch from max(finished_at) - ${at}::timestamptz), 0)::float8 as seconds
      from runs where trigger = 'schedule' and finished_at > ${at}`.execute(db)
    const [night] = found
    if (night && night.ended >= tasks) {
      const Ledger = z.object({ entries: z.array(z.object({ status: z.int() })) })
      const { entries } = await control(app.google, { method: 'GET', path: 'ledger' }, Ledger)
      return { requests: entries.length, seconds: night.seconds }
    }
    await delay(500)
  }
}
