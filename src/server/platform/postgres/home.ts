import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { othersCanEnter, type ServerUser, serverUser } from './server-user.ts'

const isRoot = process.getuid?.() === 0
// Lets the server's account, if root starts it, pass the folder, and no other.
const PASSABLE = isRoot ? 0o711 : 0o700

/** DATA_DIR/postgres.json: what the embedded server needs from one start to the next. */
const HomeRecord = z.strictObject({
  /** Folder of programs and data; relative to DATA_DIR unless only root can enter that. */
  home: z.string(),
  /** Password of the application's role. */
  password: z.string(),
  /** Password of the superuser; earlier versions had none besides the application's role. */
  admin_password: z.string().default(newPassword),
  /** Port of the last start, used again if it is free, so that the URL rarely changes. */
  port: z.number().optional(),
})
type HomeRecord = z.output<typeof HomeRecord>

/** Where the embedded server is, its account, and its password. */
export type Home = {
  folder: string
  dataFolder: string
  user: ServerUser
  password: string
  adminPassword: string
  port: number | undefined
}

/**
 * The home recorded in DATA_DIR, or a new one: inside DATA_DIR, or under `systemFolder` if root starts it from a
 * folder that no other account can enter. Throws if the record cannot be read or the folders cannot be created.
 */
export function openHome(dataDir: string, systemFolder = '/var/lib/rowferry'): Home {
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, PASSABLE)
  // Real paths, because the command line of a running server contains them.
  const root = realpathSync(dataDir)
  const record = readRecord(root) ?? newRecord(root, systemFolder)
  const folder = resolve(root, record.home)
  const dataFolder = join(folder, 'data')
  const user = serverUser(dataFolder)
  mkdirSync(folder, { recursive: true })
  if (record.home !== 'postgres') chmodSync(dirname(folder), PASSABLE)
  // Earlier versions gave it to the server's account, which could create links there for root to follow.
  if (isRoot) chownSync(folder, 0, 0)
  chmodSync(folder, PASSABLE)
  writeRecord(dataDir, record)
  return {
    folder,
    dataFolder,
    user,
    password: record.password,
    adminPassword: record.admin_password,
    port: record.port,
  }
}

/** Whether `dataDir` has an embedded server. */
export const hasHome = (dataDir: string): boolean => existsSync(recordPath(dataDir))

/** URL of the database of a server that another process runs on `dataDir`; undefined if there never was one. */
export function runningUrl(dataDir: string): string | undefined {
  const record = readRecord(dataDir)
  return record?.port === undefined ? undefined : databaseUrl(record.password, record.port)
}

// The application's role and its database.
const APPLICATION = 'rowferry'

/** Address of the application's database, as its own role. */
export const databaseUrl = (password: string, port: number): string =>
  `postgresql://${APPLICATION}:${password}@127.0.0.1:${port}/${APPLICATION}`

/** Stores the port for the next start. */
export function rememberPort(dataDir: string, port: number): void {
  const record = readRecord(dataDir)
  if (record && record.port !== port) writeRecord(dataDir, { ...record, port })
}

function newRecord(dataDir: string, systemFolder: string): HomeRecord {
  const outside = isRoot && !othersCanEnter(dataDir)
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const home = outside ? join(systemFolder, hash) : 'postgres'
  const left = join(resolve(dataDir, home), 'data')
  // The password was in a deleted DATA_DIR. The data is unreadable, but must not be deleted.
  if (existsSync(left)) renameSync(left, `${left}-left-${Date.now()}`)
  return { home, password: newPassword(), admin_password: newPassword() }
}

function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

function readRecord(dataDir: string): HomeRecord | undefined {
  const path = recordPath(dataDir)
  return existsSync(path) ? HomeRecord.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined
}

function writeRecord(dataDir: string, record: HomeRecord): void {
  const text = `${JSON.stringify(record, null, 2)}\n`
  // An existing folder needs no space: a backup of a running server works with a full disk.
  if (existsSync(recordPath(dataDir)) && readFileSync(recordPath(dataDir), 'utf8') === text) return
  const draft = `${recordPath(dataDir)}.new`
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  renameSync(draft, recordPath(dataDir))
}

function recordPath(dataDir: string): string {
  return join(dataDir, 'postgres.json')
}
