import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDb, type Db } from '../../src/server/platform/db.ts'
import { migrate } from '../../src/server/platform/migrate.ts'
import { type EmbeddedPostgres, startPostgres } from '../../src/server/platform/postgres/start-postgres.ts'
import { testFolder } from '../fixtures/folders.ts'

/** A migrated database server with the app's settings, for one test, which may crash it. */
export class OwnServer {
  readonly url: string
  readonly db: Db & { destroy: () => Promise<void> }
  readonly #folder: string
  readonly #settings: Record<string, string>
  #server: EmbeddedPostgres

  /** `folder`: the data folder, by default a new one. */
  static async start({
    folder,
    settings = {},
  }: {
    folder?: string
    settings?: Record<string, string>
  } = {}): Promise<OwnServer> {
    const dataDir = folder ?? (await testFolder())
    const server = await startPostgres({ dataDir, settings })
    await migrate({ url: server.url })
    return new OwnServer(dataDir, server, settings)
  }

  private constructor(folder: string, server: EmbeddedPostgres, settings: Record<string, string>) {
    this.#folder = folder
    this.#settings = settings
    this.#server = server
    this.url = server.url
    this.db = createDb({ url: server.url })
  }

  /** Kills the server with SIGKILL and restarts it at the same address. */
  async crash(): Promise<void> {
    const file = join(this.#folder, 'postgres/data/postmaster.pid')
    const [pid] = (await readFile(file, 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
    await this.#server.exited
    this.#server = await startPostgres({ dataDir: this.#folder, settings: this.#settings })
  }

  /** Stops the server. */
  close = async (): Promise<void> => {
    await this.db.destroy()
    await this.#server.stop()
  }
}
