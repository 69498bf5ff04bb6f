import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PostgresError } from './errors.ts'
import type { Home } from './home.ts'
import { majorVersion } from './programs.ts'

const run = promisify(execFile)

/** Superuser of the embedded server, for administration only. */
export const ADMIN_ROLE = 'postgres'

/**
 * Creates the data folder if it does not exist. `durable: false` skips flushing to disk, for tests. Throws
 * PostgresError if the folder belongs to another major version, or with initdb's output.
 */
export async function ensureCluster(programs: string, home: Home, durable: boolean): Promise<void> {
  const versionFile = join(home.dataFolder, 'PG_VERSION')
  if (!existsSync(versionFile)) return createCluster(programs, home, durable)
  const made = Number(await readFile(versionFile, 'utf8'))
  const ours = await majorVersion(programs, home.user)
  if (made !== ours) {
    throw new PostgresError(
      `The database in ${home.dataFolder} was made by PostgreSQL ${made}, this version of Rowferry brings ${ours} and ` +
        'cannot read it. Start it with the version of Rowferry that made it, or set DATABASE_URL to a server that holds its data.',
    )
  }
}

async function createCluster(programs: string, home: Home, durable: boolean): Promise<void> {
  const draft = join(home.folder, 'data-new')
  const passwordFile = join(home.folder, `password-${randomUUID()}`)
  await rm(draft, { recursive: true, force: true })
  await writeFile(passwordFile, home.adminPassword, { mode: 0o600, flag: 'wx' })
  // The parent folder does not belong to the server.
  await mkdir(draft, { mode: 0o700 })
  if (home.user) for (const path of [passwordFile, draft]) chownSync(path, home.user.uid, home.user.gid)
  try {
    await run(
      join(programs, 'bin/initdb'),
      [
        `--pgdata=${draft}`,
        `--username=${ADMIN_ROLE}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
        ...(durable ? [] : ['--no-sync']),
      ],
      { ...home.user, cwd: home.folder, env: { PATH: process.env.PATH, LC_ALL: 'C' }, timeout: 60_000 },
    )
  } catch (cause) {
    throw new PostgresError(`The database could not be created in ${home.dataFolder}: ${String(cause)}`, {
      cause,
    })
  } finally {
    await rm(passwordFile)
  }
  // Written under a temporary name, so that an interrupted start never leaves an incomplete database.
  await rename(draft, home.dataFolder)
}
