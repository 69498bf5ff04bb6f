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

/** One process of the product. */
export type Member = TestProcess & { roles: string; root: string; port: number; data_dir: string }

/** A sync task with the contents of its target before and after a run. */
export type Copy = { task_id: number; target: string; before: Cell[][]; after: Cell[][] }

const SECRET_KEY = 'a key of the tests, long enough for the rule'
const TAB = 'Table'
const EMAILS = ['ada', 'ben', 'cleo', 'dora', 'emil'].map((name) => `${name}@example.com`)
const Id = z.object({ id: z.int() })
// 42,000 cells are too many for one request, 600 are not.
const [MANY_ROWS, FEW_ROWS, COLUMNS] = [4_200, 60, 10]

const table = (mark: string, rows: number): Cell[][] =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, column) => `${mark} ${row}/${column}`),
  )

/** Real processes of the product with their own database, and a local Google in this process. */
export class Fleet extends Spreadsheets {
  readonly database: Pick<TestDatabase, 'url' | 'db'>
  /** Ends the local Google. */
  readonly close: () => Promise<void>
  readonly #env: Record<string, string>
  readonly #port: number

  /**
   * Where processes find each other; none of them runs yet. `env`: variables that all of them have besides. `portFor` may
   * put something between them and the database's port; the test itself goes around it. `own`: a database that the test may crash.
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

  /** Starts a process in these roles; the first api needs no port. Resolves when it has begun its work. */
  async start(roles: string, port = this.#port): Promise<Member> {
    const data_dir = await testFolder()
    const env = { ...this.#env, ROLES: roles, PORT: String(port), DATA_DIR: data_dir }
    const process = startNode(['src/server/main.ts'], env)
    await process.printed(/"msg":"Started"/)
    return { ...process, roles, port, data_dir, root: `http://127.0.0.1:${port}` }
  }

  /** Signs five users in at the first api process, lets other users’ tasks use their accounts, and returns the first of them. */
  async people(): Promise<Person> {
    const people = await Promise.all(EMAILS.map((email) => signIn(`http://127.0.0.1:${this.#port}`, email)))
    for (const { send } of people)
      await send(users.shareGrant.method, users.shareGrant.path, users.shareGrant.reply, {
        shares_grant: true,
      })
    const [first] = people
    if (!first) throw new Error('Nobody signed in')
    return first
  }

  /** A type with so many tasks that copy a table each, every third of them a large one, with the grants of all five. */
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
      })
      copies.push({ task_id: id, target, before, after })
    }
    return copies
  }

  /** The current contents of the copy's target. */
  held({ target }: Copy): Promise<unknown[][]> {
    return this.values(target, TAB)
  }

  /** How many of the database's runs are in which state. */
  async states(): Promise<Partial<Record<string, number>>> {
    const rows = await this.db
      .selectFrom('runs')
      .select(['state', (eb) => eb.fn.countAll<string>().as('count')])
      .groupBy('state')
      .execute()
    return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
  }
}
