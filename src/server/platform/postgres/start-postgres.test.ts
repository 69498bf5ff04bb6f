import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { isAlive, startNode, until } from '../../../../test/processes/processes.ts'
import { connectionsOf } from '../connections.ts'
import { type Role, readEnvironment } from '../environment.ts'
import { LockedError } from '../file-lock.ts'
import { systemAccount } from '../system-account.ts'
import { openHome } from './home.ts'
import { serverUser } from './server-user.ts'
import { type EmbeddedPostgres, startPostgres } from './start-postgres.ts'

const root = process.getuid?.() === 0
// Without flushing to disk: these tests are about the launcher, not about PostgreSQL's durability.
const settings = { fsync: 'off', shared_buffers: '16MB' }

let parent: string
let dataDir: string
let server: EmbeddedPostgres | undefined

beforeAll(async () => {
  parent = await testFolder()
  dataDir = join(parent, 'data')
})

afterEach(async () => {
  await server?.stop()
  server = undefined
})

const start = async () => {
  server = await startPostgres({ dataDir, settings })
  return server
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

/** Starts a server in its own process, which can be killed. */
async function startElsewhere() {
  const program = `
    import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, 'start-postgres.ts'))}
    const { url } = await startPostgres(${JSON.stringify({ dataDir, settings })})
    console.log('url ' + url)
    setInterval(() => {}, 1000)`
  const launcher = startNode(['--input-type=module', '--eval', program])
  const url = (await launcher.printed(/url (\S+)/))[1] ?? ''
  await query(url, 'create table if not exists kept (n int)')
  await query(url, 'insert into kept values (1)')
  const [postmaster] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')
  return { launcher, url, postmaster: Number(postmaster) }
}

/** The shell that ends the server when its launcher is gone. */
async function watchdogOf(launcher: number): Promise<number> {
  const children = await readFile(`/proc/${launcher}/task/${launcher}/children`, 'utf8')
  for (const child of children.trim().split(' ')) {
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8')).includes('rowferry-watchdog')) return Number(child)
  }
  throw new Error('The launcher has no watchdog')
}

it('has room for the connections of one api and eight workers', async () => {
  const { url } = await start()
  const [allowed = 0, reserved = 0] = (
    await query(
      url,
      "select current_setting('max_connections'), current_setting('superuser_reserved_connections')",
    )
  ).map(Number)
  const { WORKER_CONCURRENCY: workerConcurrency } = readEnvironment({})
  const total = (...roles: Role[]) =>
    Object.values(connectionsOf({ roles, workerConcurrency })).reduce((sum, count) => sum + count, 0)
  expect(total('api', 'scheduler') + 8 * total('worker')).toBeLessThan(allowed - reserved)
})

it('creates a durable database that needs the password', async () => {
  server = await startPostgres({ dataDir })
  const { url } = server
  expect(await query(url, 'show fsync')).toEqual(['on'])
  expect(await query(url, 'show server_encoding')).toEqual(['UTF8'])
  const wrong = new URL(url)
  wrong.password = 'wrong'
  await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
  expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600)
  expect(await readFile(join(dataDir, 'postgres/data/pg_hba.conf'), 'utf8')).not.toMatch(/^[^#].*trust/m)
})

it('keeps rows and address from one start to the next', async () => {
  const first = await start()
  await query(first.url, 'create table kept as select 1 as n')
  await first.stop()
  const second = await start()
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select n from kept')).toEqual([1])
  await query(second.url, 'drop table kept')
})

it.runIf(root)('runs as an ordinary account when root starts it', async () => {
  await start()
  const [postmaster] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')
  expect((await stat(`/proc/${postmaster}`)).uid).toBe(systemAccount()?.uid ?? 65_534)
})

it('uses another port if its own is taken', async () => {
  const first = await start()
  await first.stop()
  const port = Number(new URL(first.url).port)
  const occupant = createServer().listen(port, '127.0.0.1')
  try {
    const second = await start()
    expect(new URL(second.url).port).not.toBe(String(port))
    expect(await query(second.url, 'select 1')).toEqual([1])
  } finally {
    occupant.close()
  }
})

it('refuses a second start while the first runs', async () => {
  await start()
  await expect(startPostgres({ dataDir, settings })).rejects.toBeInstanceOf(LockedError)
})

it('reports a server that exits, which can be started again', async () => {
  const { exited } = await start()
  const [pid] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  await exited
  const { url } = await start()
  expect(await query(url, 'select 1')).toEqual([1])
})

it('ends the server when the process that started it is killed', async () => {
  const { launcher, postmaster } = await startElsewhere()
  await launcher.end('SIGKILL')
  await until('the server has ended', () => !isAlive(postmaster))
})

it.runIf(process.platform === 'linux')(
  'ends a server left over by a killed process and its watchdog',
  async () => {
    const { launcher, postmaster } = await startElsewhere()
    process.kill(-(await watchdogOf(launcher.pid)), 'SIGKILL')
    await launcher.end('SIGKILL')
    expect(isAlive(postmaster)).toBe(true)
    const { url } = await start()
    expect(isAlive(postmaster)).toBe(false)
    expect(await query(url, 'select count(*)::int > 0 from kept')).toEqual([true])
  },
)

it('recovers when the server and the process that started it are killed together', async () => {
  const { launcher, url: before, postmaster } = await startElsewhere()
  await query(before, 'delete from kept')
  await query(before, 'insert into kept select generate_series(1, 1000)')
  process.kill(postmaster, 'SIGKILL')
  await launcher.end('SIGKILL')
  const { url } = await start()
  expect(await query(url, 'select count(*)::int from kept')).toEqual([1000])
})

it('starts despite a stale pid file whose id another program has', async () => {
  // Owned by the server's account, because it ignores a file of another account.
  const stranger = spawn('sleep', ['60'], { ...serverUser(join(dataDir, 'postgres/data')) })
  try {
    const data = join(dataDir, 'postgres/data')
    await writeFile(join(data, 'postmaster.pid'), `${stranger.pid}\n${data}\n`)
    const { url } = await start()
    expect(await query(url, 'select 1')).toEqual([1])
    expect(stranger.exitCode).toBeNull()
  } finally {
    stranger.kill()
  }
})

it('starts over after an interrupted creation', async () => {
  const other = join(parent, 'interrupted')
  await mkdir(join(other, 'postgres/data-new'), { recursive: true })
  await writeFile(join(other, 'postgres/data-new/PG_VERSION'), '18\n')
  server = await startPostgres({ dataDir: other, settings })
  expect(await query(server.url, 'select 1')).toEqual([1])
})

it('names both versions when the data was made by another major version', async () => {
  const versionFile = join(dataDir, 'postgres/data/PG_VERSION')
  const made = await readFile(versionFile)
  await writeFile(versionFile, '17\n')
  await expect(start()).rejects.toThrow(/was made by PostgreSQL 17, this version of Rowferry brings 18/)
  await writeFile(versionFile, made)
})

it('names the place of the password if the server refuses it', async () => {
  const file = join(dataDir, 'postgres.json')
  const record = await readFile(file, 'utf8')
  await writeFile(file, record.replaceAll(/password": ".*"/g, 'password": "wrong"'))
  await expect(start()).rejects.toThrow(
    /see postgres.json in DATA_DIR: its passwords are not those that we have/,
  )
  await writeFile(file, record)
})

it("shows the server's message if it cannot start", async () => {
  await expect(
    startPostgres({ dataDir, settings: { ...settings, max_connections: 'many' } }),
  ).rejects.toThrow(/invalid value for parameter "max_connections"/)
})

it.runIf(root)('lives under a system folder when only root may enter the data folder', async () => {
  const closed = join(parent, 'closed')
  const systemFolder = join(parent, 'system')
  await mkdir(closed, { mode: 0o700 })
  const inClosed = { dataDir: join(closed, 'data'), settings, systemFolder }
  server = await startPostgres(inClosed)
  await query(server.url, 'create table kept as select 7 as n')
  await server.stop()
  expect(openHome(inClosed.dataDir, systemFolder).folder).toMatch(
    new RegExp(`^${systemFolder}/[0-9a-f]{16}$`),
  )
  server = await startPostgres(inClosed)
  expect(await query(server.url, 'select n from kept')).toEqual([7])
  await server.destroy()
  server = undefined
  expect(await readdir(systemFolder)).toEqual([])
})

it.runIf(root)('creates a new database and keeps the old rows if a data folder was deleted', async () => {
  const closed = join(parent, 'deleted')
  const systemFolder = join(parent, 'system')
  await mkdir(closed, { mode: 0o700 })
  const options = { dataDir: join(closed, 'data'), settings, systemFolder }
  await (await startPostgres(options)).stop()
  await rm(options.dataDir, { recursive: true })
  server = await startPostgres(options)
  expect(await query(server.url, 'select 1')).toEqual([1])
  expect(await readdir(openHome(options.dataDir, systemFolder).folder)).toContainEqual(
    expect.stringMatching(/^data-left-/),
  )
})
