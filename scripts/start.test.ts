import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { system } from '../src/contract/system/calls.ts'
import { freePort } from '../src/server/platform/free-port.ts'
import { systemAccount } from '../src/server/platform/system-account.ts'
import { testDatabase } from '../test/fixtures/database.ts'
import { testFolder } from '../test/fixtures/folders.ts'
import { signIn } from '../test/fixtures/person.ts'
import { isAlive, startNode, type TestProcess, until } from '../test/processes/processes.ts'

let dataDir: string
let port: number
let sandboxPort: number
let readyTooSoon: boolean

beforeAll(async () => {
  dataDir = join(await testFolder(), 'data')
  port = await freePort()
  sandboxPort = await freePort()
})

function start(env: Record<string, string> = {}): TestProcess {
  const variables = {
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    LOG_LEVEL: 'error',
  }
  return startNode(['scripts/start.ts'], { ...variables, ...env })
}

/** Creates a preloaded module: a sandbox waits while the file `no-sandbox` exists, a worker exits while `no-worker` exists. */
async function hindrance(): Promise<string> {
  const path = join(await testFolder(), 'hindrance.mjs')
  const file = (name: string) => JSON.stringify(join(dataDir, name))
  await writeFile(
    path,
    `import { existsSync } from 'node:fs'
     const program = process.argv[1] ?? ''
     if (process.env.ROLES === 'worker' && existsSync(${file('no-worker')})) process.exit(7)
     if (program.endsWith('sandbox/main.ts') && existsSync(${file('no-sandbox')})) {
       console.log('The sandbox waits')
       while (existsSync(${file('no-sandbox')})) await new Promise((resolve) => setTimeout(resolve, 50))
     }`,
  )
  await mkdir(dataDir, { mode: 0o711 })
  await writeFile(join(dataDir, 'no-sandbox'), '')
  await mkdir(join(dataDir, 'sandbox'))
  await writeFile(join(dataDir, 'sandbox/left'), 'by an earlier version', { mode: 0o644 })
  return path
}

const ready = (app: TestProcess) => app.printed(/Rowferry is ready at (\S+)/)

type Process = { pid: number; title: string }

/** All descendants of a process. */
function descendants(pid: number): Process[] {
  const processes = readdirSync('/proc').flatMap((name) => {
    try {
      const [, parent] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? []
      const title = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return [{ pid: Number(name), parent: Number(parent), title }]
    } catch {
      // Not a process, or a process that has ended meanwhile.
      return []
    }
  })
  const below = (ancestor: number): Process[] =>
    processes.filter(({ parent }) => parent === ancestor).flatMap((child) => [child, ...below(child.pid)])
  return below(pid)
}

const named = (app: TestProcess, title: string) =>
  descendants(app.pid).find((found) => found.title.startsWith(title))

describe.runIf(process.platform === 'linux')('npm start', () => {
  let app: TestProcess

  beforeAll(async () => {
    app = start({ NODE_OPTIONS: `--import ${await hindrance()}` })
    await app.printed(/The sandbox waits/)
    await until(
      'the pages are there',
      async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true,
      100,
    )
    readyTooSoon = app.output().includes('Rowferry is ready')
    await rm(join(dataDir, 'no-sandbox'))
    await ready(app)
  })

  it('answers at the printed addresses', async () => {
    const url = (await ready(app))[1]
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${sandboxPort}/.well-known/openid-configuration`)).status).toBe(200)
    const page = await fetch(`${url}/`)
    expect(page.headers.get('content-type')).toContain('text/html')
  })

  it('is not ready before the sandbox answers', () => {
    expect(readyTooSoon).toBe(false)
  })

  it('leaves nothing in DATA_DIR readable by other users, including older files', async () => {
    const files = await readdir(dataDir, { recursive: true, withFileTypes: true })
    const open = files
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => !path.includes('/data/postgres'))
      .filter((path) => (statSync(path).mode & 0o077) !== 0)
    expect(open).toEqual([])
    expect(statSync(join(dataDir, 'sandbox/left')).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'sandbox/books')).isDirectory()).toBe(true)
  })

  it.runIf(process.getuid?.() === 0)(
    'runs as the system account if root starts it, except for the supervisor',
    () => {
      const account = systemAccount()
      expect(account).toBeDefined()
      const uids = descendants(app.pid).map(({ pid }) => statSync(`/proc/${pid}`).uid)
      expect(new Set(uids)).toEqual(new Set([account?.uid]))
      expect(statSync(`/proc/${app.pid}`).uid).toBe(0)
      expect(app.output()).toContain('Its processes run as the system account rowferry.')
    },
  )

  it('gives each process a descriptive title', () => {
    for (const title of ['rowferry api', 'rowferry worker', 'rowferry sandbox']) {
      expect(named(app, title), title).toBeDefined()
    }
  })

  it('refuses a second start in the same DATA_DIR', async () => {
    const second = start({ PORT: String(await freePort()) })
    expect(await second.ended).toEqual({ code: 1, signal: null })
    expect(second.output()).toBe(
      `Rowferry is already running in ${dataDir} (process ${app.pid}). Stop it first, or give this one a DATA_DIR and a PORT of its own.\n`,
    )
  })

  it('restarts a killed worker', async () => {
    const worker = named(app, 'rowferry worker')
    if (!worker) throw new Error('There is no worker')
    process.kill(worker.pid, 'SIGKILL')
    await until('there is another worker', () => {
      const next = named(app, 'rowferry worker')
      return next !== undefined && next.pid !== worker.pid
    })
    expect(app.output()).toContain('The worker ended (SIGKILL); restarting in 0.25 s.')
  })

  it('keeps the others running while a worker keeps failing, reports it on the pages, and restarts it', async () => {
    await writeFile(join(dataDir, 'no-worker'), '')
    const pages = named(app, 'rowferry api')?.pid
    const worker = named(app, 'rowferry worker')
    if (!worker) throw new Error('There is no worker')
    process.kill(worker.pid, 'SIGKILL')
    await app.printed(/The worker ended \(exit code 7\); restarting/)
    const { send } = await signIn(`http://localhost:${port}`, 'ada@example.com')
    const outages = async () => (await send('GET', system.status.path, system.status.reply)).outages
    await until('the pages know', async () => (await outages()).some(({ part }) => part === 'worker'))
    expect(await outages()).toMatchObject([{ part: 'worker', reason: 'exit code 7' }])

    await rm(join(dataDir, 'no-worker'))
    await until('there is another worker', () => named(app, 'rowferry worker') !== undefined)
    await until('the pages know that it is over', async () => (await outages()).length === 0)
    expect(named(app, 'rowferry api')?.pid).toBe(pages)
  })

  it('restarts the database on the same port', async () => {
    const server = descendants(app.pid).find(({ title }) => title.includes('/bin/postgres'))
    if (!server) throw new Error('There is no database')
    process.kill(server.pid, 'SIGKILL')
    await app.printed(/The database ended/)
    await until(
      'it is ready again',
      async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200,
    )
  })

  it('stops everything on SIGTERM and leaves no process behind', async () => {
    const processes = descendants(app.pid)
    expect(processes.length).toBeGreaterThan(5)
    expect(await app.end('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([])
  })

  it('starts again after it was killed, and no process of the first start is left', async () => {
    const first = start()
    await ready(first)
    const processes = descendants(first.pid)
    first.kill('SIGKILL')
    const second = start()
    await ready(second)
    expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([])
    await second.end('SIGINT')
  })

  it('can be stopped while it starts', async () => {
    const early = start()
    await until(
      'the database is available',
      () => named(early, 'postgres') !== undefined || descendants(early.pid).length > 0,
    )
    const processes = descendants(early.pid)
    expect(await early.end('SIGINT')).toEqual({ code: 0, signal: null })
    expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([])
  })

  it('uses the server in DATABASE_URL and starts none', async () => {
    const { url, db } = await testDatabase()
    const elsewhere = start({ DATABASE_URL: url, DATA_DIR: await testFolder() })
    await ready(elsewhere)
    expect(descendants(elsewhere.pid).filter(({ title }) => title.includes('/bin/postgres'))).toEqual([])
    expect(await db.selectFrom('users').select('id').execute()).toEqual([])
    expect(await elsewhere.end('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  it('every command reports an unreachable database in one sentence', async () => {
    const DATABASE_URL = 'postgresql://rowferry:secret@127.0.0.1:1/rowferry'
    const env = {
      ...{ DATABASE_URL, DATA_DIR: await testFolder() },
      ...{ PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) },
    }
    const backup = startNode(['scripts/backup.ts', join(env.DATA_DIR, 'a')], env)
    for (const failing of [start(env), startNode(['scripts/migrate.ts'], env), backup]) {
      expect((await failing.ended).code).toBe(1)
      expect(failing.output()).toMatch(/^The database cannot be reached: .*:1\. Is DATABASE_URL right.*\n$/m)
      expect(failing.output()).not.toMatch(/ at |secret/)
    }
  })

  it.each(['backup', 'reseal'])('%s creates no database if there is none', async (command) => {
    const folder = await testFolder()
    const program = startNode([`scripts/${command}.ts`, join(folder, 'file')], { DATA_DIR: folder })
    expect((await program.ended).code).toBe(1)
    expect(program.output()).toMatch(/^There is no database in \S+: set DATABASE_URL or DATA_DIR .*\n$/m)
    expect(await readdir(folder)).not.toContain('postgres.json')
  })

  it('names the variable of a port that is taken', async () => {
    const occupant = createServer().listen(port, '127.0.0.1')
    await once(occupant, 'listening')
    const late = start()
    expect((await late.ended).code).toBe(1)
    expect(late.output()).toMatch(new RegExp(`^PORT: port ${port} is taken by another program`))
    occupant.close()
  })

  it('names an invalid variable', async () => {
    const wrong = start({ LOG_LEVEL: 'loud' })
    expect((await wrong.ended).code).toBe(1)
    expect(wrong.output()).toMatch(/^LOG_LEVEL: must be one of .*, not "loud"\n$/)
  })
})
