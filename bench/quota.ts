// Runs many copies under Google's quota: 300 reads and 300 writes per minute, 60 of each per account, 400 ms per reply. Aims: no 429,
// and at least 90 % of the limiting quota used while tasks are queued. 100 copies with one account take 4 minutes. With `unchanged`,
// the copies run once before, so that nothing differs: aim 28 per minute and account.
//   node bench/quota.ts [accounts] [workers] [tasks] [rows] [columns] [unchanged]
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { googleQuota } from '../src/server/connectors/google-sheets/client/quota.ts'
import { addCopies, operators, runAll } from './copies.ts'
import { cpuTime } from './cpu-time.ts'
import { report as reportFigure } from './figures.ts'
import { control, startApp } from './fleet-app.ts'

const argument = (place: number, otherwise: number) => Number(process.argv[2 + place] ?? otherwise)
const accounts = argument(0, 1)
const workers = argument(1, 1)
const tasks = argument(2, 100)
const rows = argument(3, 5_000)
const columns = argument(4, 20)
const isUnchanged = process.argv[7] === 'unchanged'

const LATENCY_MS = 400
const MINUTE_MS = 60_000
const LIMIT = { account: 60, project: 300 }
// Default of one worker.
const CONCURRENCY = 10

const Ledger = z.object({
  entries: z.array(
    z.object({ at: z.iso.datetime(), kind: z.enum(['read', 'write']), status: z.int(), account: z.string() }),
  ),
})
type Entry = z.infer<typeof Ledger>['entries'][number]

const emails = operators(accounts)
const app = await startApp(workers)
try {
  const atATime = Math.min(100, CONCURRENCY * workers)
  const send = await addCopies(app, { tasks, rows, columns, emails, at_a_time: atATime })
  if (isUnchanged) {
    await runAll(send)
    // Wait until the requests of the preparation no longer count towards the quota.
    await delay(googleQuota.window_ms)
  }
  await limitGoogle()
  const load = loadavg()[0] ?? 0
  const before = cpuTime()
  const { seconds, ended } = await runAll(send)
  const after = cpuTime()
  const { entries } = await control(app.google, { method: 'GET', path: 'ledger' }, Ledger)
  console.log(`load:        ${load.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after`)
  report(entries, seconds, ended)
  const used = [...after].map(([name, s]) => `${name} ${(s - (before.get(name) ?? 0)).toFixed(1)} s`)
  console.log(`processor:   ${used.join(', ')}`)
} finally {
  await app.stop()
}

async function limitGoogle(): Promise<void> {
  const set = (method: string, path: string, body?: object) =>
    control(app.google, { method, path, ...(body && { body }) }, z.unknown())
  await set('POST', 'reset', {})
  await set('PUT', 'latency', { ms: LATENCY_MS })
  await set('PUT', 'quotas', { enabled: true, per_project: LIMIT.project, per_user: LIMIT.account })
}

function report(entries: Entry[], seconds: number, ended: string): void {
  const limit = Math.min(LIMIT.account * accounts, LIMIT.project)
  const counts = { read: count(entries, 'read'), write: count(entries, 'write') }
  const binding = counts.read >= counts.write ? 'read' : 'write'
  // Lower bound: at most `limit` requests per minute, starting immediately; and the requests of one copy are sequential.
  const bound_s = Math.max(
    (Math.ceil(counts[binding] / limit) - 1) * (MINUTE_MS / 1000),
    ((entries.length / tasks) * LATENCY_MS) / 1000,
  )
  const used = minutesUsed(entries.filter(({ kind }) => kind === binding)).map((starts) => starts / limit)
  const mean = used.reduce((sum, share) => sum + share, 0) / used.length
  const refused = entries.filter(({ status }) => status === 429).length
  const shares = emails.map((email) => entries.filter(({ account }) => account === email).length)
  console.log(`${tasks} copies of ${rows} x ${columns}, ${accounts} accounts, ${workers} workers: ${ended}`)
  console.log(`requests:    ${counts.read} reads, ${counts.write} writes; by account ${shares.join(', ')}`)
  reportFigure({ what: 'replies with 429', value: refused, limit: 0 })
  reportFigure({ what: `share used of ${limit} ${binding}s a minute`, value: mean, floor: 0.9 })
  console.log(`makespan:    ${seconds.toFixed(1)} s, lower bound ${bound_s.toFixed(1)} s`)
  console.log(`copies:      ${((tasks / seconds) * 60).toFixed(1)} a minute`)
  reportFigure({ what: 'times the least that the quota allows', value: seconds / bound_s })
}

function count(entries: Entry[], kind: Entry['kind']): number {
  return entries.filter((entry) => entry.kind === kind).length
}

/** Number of requests started in each minute, without the last minute, in which no more work was queued. */
function minutesUsed(entries: Entry[]): number[] {
  const moments = entries.map(({ at }) => Date.parse(at)).sort((a, b) => a - b)
  const [first = 0] = moments
  const whole = Math.floor(((moments.at(-1) ?? first) - first) / MINUTE_MS)
  const starts = Array.from({ length: whole }, () => 0)
  for (const moment of moments) {
    const minute = Math.floor((moment - first) / MINUTE_MS)
    if (minute < whole) starts[minute] = (starts[minute] ?? 0) + 1
  }
  return starts
}
