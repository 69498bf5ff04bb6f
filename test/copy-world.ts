import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Insertable } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { buildSandbox } from '../sandbox/app.ts'
import { CopyReceipt } from '../src/contract/receipts.ts'
import { createGoogle } from '../src/server/connectors/google-sheets/google.ts'
import { googleSheets } from '../src/server/connectors/google-sheets/provider.ts'
import { createSources, createTargets } from '../src/server/connectors/registry.ts'
import { GOOGLE_SHEETS } from '../src/server/connectors/table-provider.ts'
import { createEngine, type Engine } from '../src/server/engine/engine.ts'
import type { RunHandler } from '../src/server/engine/types.ts'
import { createPool, type Db } from '../src/server/platform/db.ts'
import type { Database } from '../src/server/platform/schema.ts'
import { createCompileHandler } from '../src/server/run-handlers/compile/handler.ts'
import { createCopyHandler } from '../src/server/run-handlers/copy/handler.ts'
import { createIngestHandler } from '../src/server/run-handlers/ingest/handler.ts'
import type { Ended, Settings } from './copy-settings.ts'
import { testDatabase } from './database.ts'
import { logOf, runOf } from './engine.ts'
import { everybody } from './everybody.ts'
import { aSourceTask, aSyncTask, aType, aUser } from './factories.ts'
import { LateProxy } from './late-proxy.ts'
import { startNode, type TestProcess } from './processes.ts'
import { type Pull, pulled } from './pulls.ts'
import { queuePipeline, queueRun, stopRun } from './run-requests.ts'
import { accessToken } from './sandbox.ts'
import { sourceDeps } from './source-deps.ts'
import { type Cell, Spreadsheets } from './spreadsheets.ts'

type TaskFields = NonNullable<Parameters<typeof aSyncTask>[1]>
type Shared = Pick<TaskFields, 'chunk_size' | 'relevant_user_accounts'>

/** A local Google, a database and an engine with the copy handler; one for all tests of a file. */
export class CopyWorld extends Spreadsheets {
  #app: FastifyInstance | undefined
  #db: Db | undefined
  #engine: Engine | undefined
  #handlers: readonly RunHandler[] = []
  #startEngine: () => Promise<void> = async () => {}
  #user_id = 0
  #cleanUp: () => Promise<void> = async () => {}
  #worker_env: Record<string, string> = {}
  #proxy: LateProxy | undefined

  /** What stands between runs and the local Google. */
  get proxy(): LateProxy {
    if (!this.#proxy) throw new Error('This world was opened without a proxy')
    return this.#proxy
  }

  get db(): Db {
    if (!this.#db) throw new Error('The world has not been opened yet')
    return this.#db
  }

  get databaseUrl(): string {
    return this.#worker_env.DATABASE_URL ?? ''
  }

  async open({
    // Less than outside of tests, so that tables of some thousand rows are staged.
    commit_bytes = 2_000_000,
    requestBytes,
    worker = true,
    proxied = false,
    sources,
    tables: others = {},
    worker_env = {},
    ...settings
  }: Settings = {}): Promise<() => Promise<void>> {
    const database = await testDatabase()
    const { db } = database
    this.#db = db
    this.#app = await buildSandbox({ dataDir: null })
    const root = await this.#app.listen({ host: '127.0.0.1', port: 0 })
    const access = await accessToken(root)
    this.connect(root, async () => access)
    this.#proxy = proxied ? await LateProxy.open(root) : undefined
    const apiRoot = this.#proxy?.root ?? root
    this.#worker_env = {
      DATABASE_URL: database.url,
      GOOGLE_ROOT: apiRoot,
      GOOGLE_TOKEN: access,
      COMMIT_BYTES: String(commit_bytes),
      ...(requestBytes && { REQUEST_BYTES: String(requestBytes) }),
      ...worker_env,
    }
    const user = await aUser(db, { email: 'ada@example.com' })
    this.#user_id = user.id
    await db
      .insertInto('grants')
      .values({ user_id: user.id, refresh_token: Buffer.from('unused'), key_id: 'test', scopes: [] })
      .execute()
    const known = new Map([['ada@example.com', access]])
    const google = createGoogle({
      db,
      tokens: async ({ email }) => {
        const token = known.get(email) ?? (await accessToken(root, email))
        known.set(email, token)
        return token
      },
      entry: everybody,
      project: 'test',
      apiRoot,
      quota: { account: 100_000, project: 100_000, window_ms: 61_000 },
      backoff: { first_ms: 5, longest_ms: 40, give_up_after_ms: 20_000 },
      timeLimitMs: 30_000,
      commitBytes: commit_bytes,
      requestBytes,
      ...settings,
    })
    const pool = createPool({ url: database.url })
    const tables = { [GOOGLE_SHEETS]: googleSheets(db, google), ...others }
    const shared = {
      google,
      sources: sources ?? createSources(tables, sourceDeps(db, database.url)),
      pool,
      reconnect_url: 'https://rowferry.test/users',
    }
    const handler = createCopyHandler({
      ...shared,
      targets: createTargets(tables),
      stale_waits_ms: [10, 30],
    })
    this.#cleanUp = async () => handler.cleanUp?.(db)
    this.#handlers = [handler, createIngestHandler(shared), createCompileHandler({ pool, folder: '/tmp' })]
    const log = pino({ level: process.env.ENGINE_LOG ?? 'silent' })
    this.#startEngine = async () => {
      const roles = worker ? (['worker', 'scheduler'] as const) : (['api'] as const)
      const { url: databaseUrl } = database
      const handlers = this.#handlers
      this.#engine = createEngine({ db, databaseUrl, handlers, log, roles, concurrency: 4 })
      await this.#engine.start()
    }
    await this.#startEngine()
    return async () => {
      await this.#engine?.stop()
      await pool.end()
      await this.#proxy?.close()
      await this.#app?.close()
    }
  }

  /**
   * A spreadsheet ‘Catalogue’ whose tab Products holds the rows, a spreadsheet ‘Web shop’ whose tab Shop holds others,
   * and a task that copies the one into the other.
   */
  async pair(
    rows: Cell[][],
    held: Cell[][] = [],
    definition: Parameters<CopyWorld['task']>[0] = {},
  ): Promise<{ source: string; target: string; task: number }> {
    const source = await this.spreadsheet({ Products: rows }, 'Catalogue')
    const target = await this.spreadsheet({ Shop: held }, 'Web shop')
    return {
      source,
      target,
      task: await this.task({ source_ss_id: source, target_ss_id: target, ...definition }),
    }
  }

  /** A sync task of ada@example.com, by default from Products into Shop. */
  async task({
    chunk_size,
    relevant_user_accounts,
    ...definition
  }: TaskFields['definition'] & Shared): Promise<number> {
    const type = await aType(this.db, {
      max_retries: 2,
      retry_delay_seconds: 0,
      allowed_concurrent_tasks: 10,
    })
    const task = await aSyncTask(this.db, {
      account_user_id: this.#user_id,
      task_type_id: type.id,
      ...(chunk_size === undefined ? {} : { chunk_size }),
      ...(relevant_user_accounts === undefined ? {} : { relevant_user_accounts }),
      definition: { source_sheet_name: 'Products', target_sheet_name: 'Shop', ...definition },
    })
    return task.id
  }

  /** A source task of ada@example.com, by default of the tab Products. */
  async sourceTask(
    definition: Partial<Insertable<Database['source_tasks']>>,
    fields: Partial<Insertable<Database['tasks']>> = {},
  ): Promise<number> {
    const type = await aType(this.db, { category: 'source', max_retries: 2, retry_delay_seconds: 0 })
    const shared = { task_type_id: type.id, account_user_id: this.#user_id, ...fields }
    const tab = { sheet_name: 'Products', ...definition }
    return (await aSourceTask(this.db, { ...shared, definition: tab })).id
  }

  /** Runs a source task and waits for the end. */
  async pull(task_id: number): Promise<Pull> {
    await this.start(task_id)
    return pulled(this.db, task_id)
  }

  /** What Run pipeline does. */
  readonly runPipeline = () => queuePipeline(this.db, this.#handlers)

  /** How often a failed run of the task is tried again. */
  async setRetries(task_id: number, max_retries: number): Promise<void> {
    await this.db
      .updateTable('task_types')
      .set({ max_retries })
      .where('id', 'in', (tasks) =>
        tasks.selectFrom('tasks').select('task_type_id').where('id', '=', task_id),
      )
      .execute()
  }

  async start(task_id: number, definition: object = {}): Promise<void> {
    const queued = await queueRun(this.db, this.#handlers, task_id, definition)
    if (!queued.ok) throw new Error(`The run was not queued: ${JSON.stringify(queued)}`)
  }

  /** Runs the task, otherwise than it says by `definition`, and waits for the end. */
  async run(task_id: number, definition: object = {}): Promise<Ended> {
    await this.start(task_id, definition)
    return this.ended(task_id)
  }

  async ended(task_id: number): Promise<Ended> {
    const run = await runOf(this.db, task_id)
    const requests = await this.requestsOf(run.id)
    const log = await logOf(this.db, task_id)
    const receipt = run.receipt === null ? null : CopyReceipt.parse(run.receipt)
    return { id: run.id, state: run.state, message: run.message ?? run.error ?? '', receipt, log, requests }
  }

  /** What a scheduler does now and then. */
  async cleanUp(): Promise<void> {
    await this.#cleanUp()
  }

  /** How far the task’s last run says that it is. */
  async progress(task_id: number): Promise<{ phase: string; rows_done: number }> {
    return this.db
      .selectFrom('tasks')
      .innerJoin('runs', 'runs.id', 'tasks.last_run_id')
      .select(['phase', 'rows_done'])
      .where('tasks.id', '=', task_id)
      .executeTakeFirstOrThrow()
  }

  /** Releases what is at work, as a worker does that is told to end, and begins anew with another engine. */
  async changeEngine(): Promise<void> {
    await this.#engine?.stop()
    await this.#startEngine()
  }

  /** Starts a process that carries out runs. */
  async workerProcess(): Promise<TestProcess> {
    const worker = startNode(['test/copy-process.ts'], this.#worker_env)
    await worker.printed(/worker started/)
    return worker
  }

  stop(task_id: number) {
    return stopRun(this.db, task_id, 'ada@example.com')
  }

  async requestsOf(run_id: number): Promise<{ read: number; write: number }> {
    const own = await this.#ledgerOf(run_id)
    const count = (kind: string) => own.filter((entry) => entry.kind === kind).length
    return { read: count('read'), write: count('write') }
  }

  /** Cells that a run wrote by the requests whose path ends like that. */
  async cellsWritten(run_id: number, path: string): Promise<number> {
    const own = (await this.#ledgerOf(run_id)).filter((entry) => entry.path.endsWith(path))
    return own.reduce((cells, entry) => cells + entry.cells, 0)
  }

  async #ledgerOf(run_id: number) {
    return (await this.ledger()).filter(({ user_agent }) => user_agent.includes(`(run ${run_id})`))
  }
}

/** Opens a world before the tests of the calling file and closes it after them. */
export const copyWorld = (settings: Settings = {}): CopyWorld => opened(new CopyWorld(), settings)

/** The same of a world that is made already. */
export function opened<World extends CopyWorld>(world: World, settings: Settings): World {
  let close: (() => Promise<void>) | undefined
  beforeAll(async () => {
    close = await world.open(settings)
  })
  afterAll(() => close?.())
  return world
}

/** Waits until `condition` holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let pause = 10; !(await condition()); pause = Math.min(50, pause * 1.2)) await delay(pause)
}
