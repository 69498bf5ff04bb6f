import { setTimeout as delay } from 'node:timers/promises'
import { sheets, type sheets_v4 } from '@googleapis/sheets'
import { OAuth2Client } from 'google-auth-library'
import { z } from 'zod'
import { syncTasks } from '../src/contract/sync-tasks/calls.ts'
import { syncTaskTypes } from '../src/contract/task-types/calls.ts'
import { users } from '../src/contract/users/calls.ts'
import type { Send } from '../test/fixtures/person.ts'
import { type App, control } from './fleet-app.ts'

const TASKS_A_SOURCE = 10
const TIMEOUT_MS = 40 * 60_000
const Id = z.object({ id: z.int() })

/** Email addresses of `count` operators. */
export const operators = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `operator-${n + 1}@example.com`)

type Copies = { tasks: number; rows: number; columns: number; emails: readonly string[]; at_a_time: number }

/** Adds tasks that copy tables to empty sheets with the accounts of all users; returns the first user's session. */
export async function addCopies(
  app: App,
  { tasks, rows, columns, emails, at_a_time }: Copies,
): Promise<Send> {
  const people = await Promise.all(emails.map(app.signIn))
  const { shareGrant } = users
  for (const send of people)
    await send(shareGrant.method, shareGrant.path, shareGrant.reply, { shares_grant: true })
  const [send] = people
  if (!send) throw new Error('At least one account is needed')
  const books = await Books.of(app.google, emails[0] ?? '', { rows, columns })
  const type = await send(syncTaskTypes.create.method, syncTaskTypes.create.path, Id, {
    name: 'Bench',
    allowed_concurrent_tasks: at_a_time,
  })
  let source = ''
  for (let n = 0; n < tasks; n += 1) {
    if (n % TASKS_A_SOURCE === 0) source = await books.filled()
    await send(syncTasks.create.method, syncTasks.create.path, Id, {
      sync_task_type_id: type.id,
      name: `Copy ${n + 1}`,
      source_ss_id: source,
      target_ss_id: await books.empty(),
      target_sheet_name: 'Table',
      relevant_user_accounts: emails.slice(1),
    })
  }
  return send
}

/** Runs all tasks and waits until all have ended; returns the duration in seconds and the number of runs by status. */
export async function runAll(send: Send): Promise<{ seconds: number; ended: string }> {
  const began = performance.now()
  await send(syncTasks.executeAll.method, syncTasks.executeAll.path, syncTasks.executeAll.reply)
  for (;;) {
    const { tasks } = await send('GET', syncTasks.statusAll.path, syncTasks.statusAll.reply)
    const counts = new Map<string, number>()
    for (const { task_status } of tasks) counts.set(task_status, (counts.get(task_status) ?? 0) + 1)
    const ended = [...counts].map(([status, count]) => `${count} ${status}`).join(', ')
    const elapsed_ms = performance.now() - began
    if (!tasks.some(({ running_status, task_status }) => running_status || task_status === 'Queued'))
      return { seconds: elapsed_ms / 1000, ended }
    if (elapsed_ms > TIMEOUT_MS) throw new Error(`Not within 40 minutes: ${ended}`)
    await delay(200)
  }
}

type Size = { rows: number; columns: number }

class Books {
  readonly #google: string
  readonly #token: string
  readonly #size: Size
  readonly #api: sheets_v4.Sheets

  static async of(google: string, email: string, size: Size): Promise<Books> {
    const Token = z.object({ access_token: z.string() })
    const request = { method: 'POST', path: 'tokens', body: { email } }
    const { access_token } = await control(google, request, Token)
    return new Books(google, access_token, size)
  }

  private constructor(google: string, token: string, size: Size) {
    this.#google = google
    this.#token = token
    this.#size = size
    const auth = new OAuth2Client()
    auth.setCredentials({ access_token: token })
    this.#api = sheets({ version: 'v4', auth, rootUrl: `${google}/`, retry: false })
  }

  /** Creates a spreadsheet that every user may edit. */
  async empty(): Promise<string> {
    const properties = { title: 'Table', gridProperties: { rowCount: 1, columnCount: this.#size.columns } }
    const { data } = await this.#api.spreadsheets.create({ requestBody: { sheets: [{ properties }] } })
    const id = data.spreadsheetId ?? ''
    const shared = await fetch(`${this.#google}/drive/v3/files/${id}/permissions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'anyone', role: 'writer' }),
    })
    if (!shared.ok) throw new Error(await shared.text())
    return id
  }

  /** As `empty`, with a header and rows. */
  async filled(): Promise<string> {
    const { rows, columns } = this.#size
    const spreadsheetId = await this.empty()
    const cell = (row: number, column: number) =>
      column % 2 ? row * columns + column : `SKU-${row}-${column}`
    const values = Array.from({ length: rows + 1 }, (_, row) =>
      Array.from({ length: columns }, (_, column) =>
        row === 0 ? `Column ${column + 1}` : cell(row, column),
      ),
    )
    await this.#api.spreadsheets.values.append({
      spreadsheetId,
      range: 'Table!A1',
      valueInputOption: 'RAW',
      requestBody: { values },
    })
    return spreadsheetId
  }
}
