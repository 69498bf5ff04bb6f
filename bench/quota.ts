// Many copies under Google's quota: 300 reads and 300 writes a minute, 60 each of an account, 400 ms an answer. Aims: no
// 429, and at least 90 % of the quota that binds used while work is left. Takes minutes: 100 copies with one account 12.
//   node bench/quota.ts [accounts] [workers] [tasks] [rows] [columns]
import { setTimeout as delay } from 'node:timers/promises'
import { sheets, type sheets_v4 } from '@googleapis/sheets'
import { OAuth2Client } from 'google-auth-library'
import { z } from 'zod'
import { syncTasks } from '../src/contract/sync-tasks.ts'
import type { Send } from '../test/person.ts'
import { control, startApp } from './quota-app.ts'

const argument = (place: number, otherwise: number) => Number(process.argv[2 + place] ?? otherwise)
const accounts = argument(0, 1)
const workers = argument(1, 1)
const tasks = argument(2, 100)
const rows = argument(3, 5_000)
const columns = argument(4, 20)

const LATENCY_MS = 400
const MINUTE_MS = 60_000
const LIMIT = { account: 60, project: 300 }
// Of one worker, by default.
const CONCURRENCY = 10
const LONGEST_MS = 40 * MINUTE_MS
const TASKS_A_SOURCE = 10

const Ledger = z.object({
  entries: z.array(
    z.object({ at: z.iso.datetime(), kind: z.enum(['read', 'write']), status: z.int(), account: z.string() }),
  ),
})
type Entry = z.infer<typeof Ledger>['entries'][number]

const emails = Array.from({ length: accounts }, (_, n) => `operator-${n + 1}@example.com`)
const app = await startApp(workers)
try {
  const people = await Promise.all(emails.map(app.signIn))
  for (const send of people)
    await send('POST', '/api/users/me/share_grant', z.unknown(), { shares_grant: true })
  const [first] = people
  if (!first) throw new Error('At least one account is needed')
  await addTasks(first)
  await limitGoogle()

  const began = performance.now()
  await first('POST', syncTasks.executeAll.path, syncTasks.executeAll.reply)
  const ended = await allEnded(first, began)
  const seconds = (performance.now() - began) / 1000
  const { entries } = await control(app.google, { method: 'GET', path: 'ledger' }, Ledger)
  report(entries, seconds, ended)
} finally {
  await app.stop()
}

async function addTasks(send: Send): Promise<void> {
  const Token = z.object({ access_token: z.string() })
  const body = { email: emails[0] }
  const { access_token } = await control(app.google, { method: 'POST', path: 'tokens', body }, Token)
  const auth = new OAuth2Client()
  auth.setCredentials({ access_token })
  const api = sheets({ version: 'v4', auth, rootUrl: `${app.google}/`, retry: false })
  const Id = z.object({ id: z.int() })
  const type = await send('POST', '/api/sync_task_types', Id, {
    name: 'Bench',
    allowed_concurrent_tasks: Math.min(100, CONCURRENCY * workers),
  })
  let source = ''
  for (let n = 0; n < tasks; n += 1) {
    if (n % TASKS_A_SOURCE === 0) source = await filledBook(api, access_token)
    await send('POST', syncTasks.create.path, Id, {
      sync_task_type_id: type.id,
      name: `Copy ${n + 1}`,
      source_ss_id: source,
      target_ss_id: await book(api, access_token),
      target_sheet_name: 'Table',
      relevant_user_accounts: emails.slice(1),
    })
  }
}

async function book(api: sheets_v4.Sheets, token: string): Promise<string> {
  const properties = { title: 'Table', gridProperties: { rowCount: 1, columnCount: columns } }
  const { data } = await api.spreadsheets.create({ requestBody: { sheets: [{ properties }] } })
  const id = data.spreadsheetId ?? ''
  const shared = await fetch(`${app.google}/drive/v3/files/${id}/permissions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'anyone', role: 'writer' }),
  })
  if (!shared.ok) throw new Error(await shared.text())
  return id
}

async function filledBook(api: sheets_v4.Sheets, token: string): Promise<string> {
  const spreadsheetId = await book(api, token)
  const cell = (row: number, column: number) => (column % 2 ? row * columns + column : `SKU-${row}-${column}`)
  const values = Array.from({ length: rows + 1 }, (_, row) =>
    Array.from({ length: columns }, (_, column) => (row === 0 ? `Column ${column + 1}` : cell(row, column))),
  )
  await api.spreadsheets.values.append({
    spreadsheetId,
    range: 'Table!A1',
    valueInputOption: 'RAW',
    requestBody: { values },
  })
  return spreadsheetId
}

async function limitGoogle(): Promise<void> {
  const set = (method: string, path: string, body?: object) =>
    control(app.google, { method, path, ...(body && { body }) }, z.unknown())
  await set('POST', 'reset', {})
  await set('PUT', 'latency', { ms: LATENCY_MS })
  await set('PUT', 'quotas', { enabled: true, per_project: LIMIT.project, per_user: LIMIT.account })
}

/** How many tasks ended in which status. */
async function allEnded(send: Send, began: number): Promise<string> {
  for (;;) {
    const { tasks } = await send('GET', syncTasks.statusAll.path, syncTasks.statusAll.reply)
    const counts = new Map<string, number>()
    for (const { task_status } of tasks) counts.set(task_status, (counts.get(task_status) ?? 0) + 1)
    const said = [...counts].map(([status, count]) => `${count} ${status}`).join(', ')
    if (!tasks.some(({ running_status, task_status }) => running_status || task_status === 'Queued'))
      return said
    if (performance.now() - began > LONGEST_MS) throw new Error(`Not within 40 minutes: ${said}`)
    await delay(500)
  }
}

function report(entries: Entry[], seconds: number, ended: string): void {
  const limit = Math.min(LIMIT.account * accounts, LIMIT.project)
  const counts = { read: count(entries, 'read'), write: count(entries, 'write') }
  const binding = counts.read >= counts.write ? 'read' : 'write'
  // At most so many may start in any minute, the first of them at once; and the requests of a copy follow one another.
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
  console.log(`429:         ${refused} (aim 0)`)
  console.log(
    `quota used:  ${percent(mean)} of ${limit} ${binding}s a minute in ${used.length} whole minutes, least ${percent(Math.min(...used))} (aim 90 %)`,
  )
  console.log(`makespan:    ${seconds.toFixed(1)} s, lower bound ${bound_s.toFixed(1)} s`)
  console.log(`ratio:       ${(seconds / bound_s).toFixed(2)}`)
}

function count(entries: Entry[], kind: Entry['kind']): number {
  return entries.filter((entry) => entry.kind === kind).length
}

/** Starts in each minute from the first one; the last minute, in which work ran out, is left out. */
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

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
