import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import type { Db } from './db.ts'
import type { Database } from './schema.ts'

/** Database access of one request. `commit` makes its changes visible and permanent; `rollback` undoes them. */
export type UnitOfWork = { db: Db; commit: () => Promise<void>; rollback: () => Promise<void> }

type CheckedOut = { connection: DatabaseConnection; release: () => void }

/** Statements with one of these words change data, or wait for others that do (`for update`). */
const CHANGES_DATA = /\b(?:insert|update|delete|merge|truncate|pg_notify)\b/i

const units = new WeakMap<Db, UnitDriver>()

/**
 * Creates a unit of work. Its first transaction, or its first statement that changes data, begins a transaction that stays open: all
 * later statements join it, later transactions as savepoints. Before that, statements use any connection of `db`. After `commit` or
 * `rollback` it behaves like `db`.
 */
export function unitOfWork(db: Db): UnitOfWork {
  const driver = new UnitDriver(db)
  const own = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  units.set(own, driver)
  return { db: own, commit: () => driver.commit(), rollback: () => driver.rollback() }
}

/** If `db` belongs to a unit of work with an open transaction, runs `action` after its commit and returns true. */
export function afterCommit(db: Db, action: (db: Db) => Promise<void>): boolean {
  return units.get(db)?.afterCommit(action) ?? false
}

class UnitDriver implements Driver {
  readonly #db: Db
  readonly #checkedOut = new Map<DatabaseConnection, CheckedOut>()
  readonly #actions: ((db: Db) => Promise<void>)[] = []
  #open: CheckedOut | null = null
  /** Connections with a transaction of their own, which only reads. */
  readonly #reading = new Set<DatabaseConnection>()
  #savepoints = 0
  #is_over = false

  constructor(db: Db) {
    this.#db = db
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#open) return this.#open.connection
    const checkedOut = await checkOut(this.#db, (pooled) => this.#joining(pooled))
    this.#checkedOut.set(checkedOut.connection, checkedOut)
    return checkedOut.connection
  }

  /** A connection whose statements join the open transaction, even if it was opened after the connection was acquired. */
  #joining(pooled: DatabaseConnection): DatabaseConnection {
    const own: DatabaseConnection = {
      executeQuery: (query, ...rest) => {
        if (this.#is_over || this.#reading.has(own)) return pooled.executeQuery(query, ...rest)
        if (this.#open && this.#open.connection !== own)
          return this.#open.connection.executeQuery(query, ...rest)
        const opens = this.#open === null && CHANGES_DATA.test(query.sql)
        return opens
          ? this.#begin(own, () => pooled.executeQuery(query, ...rest))
          : pooled.executeQuery(query, ...rest)
      },
      streamQuery: (...given) => pooled.streamQuery(...given),
    }
    return own
  }

  /** Begins the transaction with its first statement. If that fails, as if it had never begun. */
  async #begin<T>(own: DatabaseConnection, statement: () => Promise<T>): Promise<T> {
    this.#open = this.#checkedOut.get(own) ?? null
    const begun = execute(own, 'start transaction')
    const result = statement()
    try {
      await begun
      return await result
    } catch (error) {
      await result.catch(() => undefined)
      await execute(own, 'rollback')
      this.#open = null
      throw error
    }
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (this.#open) {
      if (this.#open.connection !== connection || settings.isolationLevel || settings.accessMode)
        throw new Error('A unit of work has one transaction at a time, of the default isolation level')
      this.#savepoints += 1
      return execute(connection, `savepoint unit_${this.#savepoints}`)
    }
    const modes = [
      ...(settings.isolationLevel ? [`isolation level ${settings.isolationLevel}`] : []),
      ...(settings.accessMode ? [settings.accessMode] : []),
    ]
    // A read-only transaction has nothing to undo.
    if (settings.accessMode === 'read only') this.#reading.add(connection)
    await execute(connection, ['start transaction', ...modes].join(' '))
    if (!this.#is_over && settings.accessMode !== 'read only')
      this.#open = this.#checkedOut.get(connection) ?? null
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#open?.connection !== connection) return commitOn(connection)
    if (this.#savepoints === 0) return
    await execute(connection, `release savepoint unit_${this.#savepoints}`)
    this.#savepoints -= 1
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#open?.connection !== connection || this.#savepoints === 0) {
      await execute(connection, 'rollback')
      if (this.#open?.connection === connection) this.#open = null
      return
    }
    await execute(connection, `rollback to savepoint unit_${this.#savepoints}`)
    this.#savepoints -= 1
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#reading.delete(connection)
    if (this.#open?.connection !== connection) this.#release(connection)
  }

  async destroy(): Promise<void> {}

  afterCommit(action: (db: Db) => Promise<void>): boolean {
    if (this.#open === null) return false
    if (!this.#actions.includes(action)) this.#actions.push(action)
    return true
  }

  async commit(): Promise<void> {
    await this.#end(commitOn)
    for (const action of this.#actions.splice(0)) await action(this.#db)
  }

  rollback(): Promise<void> {
    this.#actions.splice(0)
    return this.#end((connection) => execute(connection, 'rollback'))
  }

  async #end(how: (connection: DatabaseConnection) => Promise<void>): Promise<void> {
    const open = this.#open
    this.#is_over = true
    if (open === null) return
    try {
      await how(open.connection)
    } finally {
      this.#open = null
      this.#release(open.connection)
    }
  }

  #release(connection: DatabaseConnection): void {
    this.#checkedOut.get(connection)?.release()
    this.#checkedOut.delete(connection)
  }
}

/** A pool connection until it is released. Statements are sent one at a time. */
function checkOut(db: Db, wrap: (pooled: DatabaseConnection) => DatabaseConnection): Promise<CheckedOut> {
  return new Promise((resolve, reject) => {
    db.getExecutor()
      .provideConnection((connection) => {
        const { promise, resolve: release } = Promise.withResolvers<void>()
        resolve({ connection: wrap(oneByOne(connection)), release })
        return promise
      })
      .catch(reject)
  })
}

function oneByOne(connection: DatabaseConnection): DatabaseConnection {
  let last: Promise<unknown> = Promise.resolve()
  return {
    executeQuery: (...given) => {
      const result = last.then(() => connection.executeQuery<never>(...given))
      last = result.catch(() => undefined)
      return result
    },
    streamQuery: (...given) => connection.streamQuery(...given),
  }
}

async function execute(connection: DatabaseConnection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement))
}

async function commitOn(connection: DatabaseConnection): Promise<void> {
  const { rows } = await connection.executeQuery<{ command?: string }>(CompiledQuery.raw('commit'))
  // COMMIT after a failed statement rolls back without an error.
  if (rows[0]?.command === 'ROLLBACK') throw new AbortedTransactionError()
}
