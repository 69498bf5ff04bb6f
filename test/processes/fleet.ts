import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { buildSandbox } from '../../sandbox/app.ts'
import { syncTasks } from '../../src/contract/sync-tasks/calls.ts'
import { syncTaskTypes } from '../../src/contract/task-types/calls.ts'
import { users } from '../../src/contract/users/calls.ts'
import { freePort } from '../../src/server/platform/free-port.ts'
import { accessToken } from '../fakes/sandbox.ts'
import { type Cell, Spreadsheets } from '../fakes/spreadsheets.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { testFolder } from '../fixtures/folders.ts'
import { type Person, type Send, signIn } from '../fixtures/person.ts'
import { startNode, type TestProcess } from './processes.ts'

/** A process of the app. */
export type Member = TestProcess & { roles: string; root: string; port: number; data_dir: string }

/** A sync task with the expected contents of its target before and after a run. */
export type Copy = { task_id: number; target: string; before: Cell[][]; after: Cell[][] }

const SECRET_KEY = 'a key of the tests, long enough for the rule'
const TAB = 'Table'
const EMAILS = ['ada', 'ben', 'cleo', 'dora', 'emil'].map((name) => `${name}@example.com`)
const Id = z.object({ id: z.int() })
// 42,000 cells exceed one request, 600 do not.
const [MANY_ROWS, FEW_ROWS, COLUMNS] = [4_200, 60, 10]

const table = (mark: string, rows: number): Cell[][] =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, column) => `${mark} ${row}/${column}`),
  )

/** Real processes of the app with their own database, and a sandbox in this process. */
export class Fleet extends Spreadsheets {
  readonly database: Pick<TestDatabase, 'url' | 'db'>
  /** Closes the sandbox. */
  readonly close: () => Promise<void>
  readonly #env: Record<string, string>
  readonly #port: number

  /**
   * Creates the environment of a fleet without starting processes. `env`: additional variables of all processes. `portFor` may
   * return the port of a proxy for the database; the test itself connects directly. `own`: a database server that the test may crash.
   */
  static async open(
    env: Record<string, string> = {},
    {
      portFor = async (port: number) => port,
      own,
    }: { portFor?: (port: number) => Promise<number>; own?: Pick<TestDatabase, 'url' | 'db'> } = {},
  ): Promise<Fleet> {
    const database = own ?? (await testDatabase())
    const url = new URL(database.url)
    url.port = String(await portFor(Number(url.port)))
    const google = await buildSandbox({ dataDir: null })
    const root = await google.listen({ host: '127.0.0.1', port: 0 })
    const fleet = new Fleet(database, root, await freePort(), () => google.close(), {
      DATABASE_URL: url.href,
      ...env,
    })
    fleet.connect(root, () => accessToken(root, EMAILS[0]))
    return fleet
  }

  private constructor(
    database: Pick<TestDatabase, 'url' | 'db'>,
    root: string,
    port: number,
    close: () => Promise<void>,
    env: Record<string, string>,
  ) {
    super()
    this.database = database
    this.close = close
    this.#port = port
    this.#env = {
      GOOGLE_API_ROOT: root,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      SECRET_KEY,
      ...env,
    }
  }

  get db(): TestDatabase['db'] {
    return this.database.db
  }

  /** Starts a process with these roles; the first api needs no port. Resolves when it is ready. */
  async start(roles: string, port = this.#port): Promise<Member> {
    const data_dir = await testFolder()
    const env = { ...this.#env, ROLES: roles, PORT: String(port), DATA_DIR: data_dir }
    const process = startNode(['src/server/main.ts'], env)
    await process.printed(/"msg":"Started"/)
    return { ...process, roles, port, data_dir, root: `http://127.0.0.1:${port}` }
  }

  /** Signs in five users at the first api process and shares their accounts with other users' tasks. Returns the first user. */
  async people(): Promise<Person> {
    const people = await Promise.all(EMAILS.map((email) => signIn(`http://127.0.0.1:${this.#port}`, email)))
    for (const { send } of people)
      await send(users.shareGrant.method, users.shareGrant.path, users.shareGrant.reply, {
        shares_grant: true,
      })
    const [first] = people
    if (!first) throw new Error('No user signed in')
    return first
  }

  /** Adds a type with `count` tasks that use the accounts of all five users. Every third task copies a large table. */
  async copies(send: Send, count: number): Promise<Copy[]> {
    const { method, path } = syncTaskTypes.create
    const type = await send(method, path, Id, {
      name: `Copies ${randomUUID()}`,
      chunk_size: 1000,
      allowed_concurrent_tasks: 5,
    })
    const copies: Copy[] = []
    for (let n = 0; n < count; n += 1) {
      const before = table('old', FEW_ROWS)
      const after = table(`new ${n}`, n % 3 === 0 ? MANY_ROWS : FEW_ROWS)
      const source = await this.spreadsheet({ [TAB]: after })
      const target = await this.spreadsheet({ [TAB]: before })
      await Promise.all([this.share(source), this.share(target)])
      const { id } = await send(syncTasks.create.method, syncTasks.create.path, Id, {
        sync_task_type_id: type.id,
        name: `Copy ${n + 1} to ${target}`,
        source_ss_id: source,
        source_sheet_name: TAB,
        target_ss_id: target,
        target_sheet_name: TAB,
        relevant_user_accounts: EMAILS.slice(1),
        // All rows are replaced by others.
        limits: { removed_percent: 100, emptied_percent: 100 },
      })
      copies.push({ task_id: id, target, before, after })
    }
    return copies
  }

  /** Current contents of the copy's target. */
  currentRows({ target }: Copy): Promise<unknown[][]> {
    return this.values(target, TAB)
  }

  /** Number of runs by state. */
  async states(): Promise<Partial<Record<string, number>>> {
    const rows = await this.db
      .selectFrom('runs')
      .select(['state', (eb) => eb.fn.countAll<string>().as('count')])
      .groupBy('state')
      .execute()
    return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
  }
}
