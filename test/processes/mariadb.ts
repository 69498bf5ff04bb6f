import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import mysql from 'mysql2/promise'
import { freePort } from '../../src/server/platform/free-port.ts'
import { serverUser } from '../../src/server/platform/postgres/server-user.ts'
import type { Certificate } from '../fixtures/certificates.ts'
import { quickestFolder } from '../runner/quickest-folder.ts'

const run = promisify(execFile)

/** A MariaDB server for one test: `root` has no password and all rights; `reader` (password `secret`) may read `shop`. */
export type MariaDb = {
  port: number
  /** Executes statements; returns the rows of each. */
  query: (sql: string) => Promise<unknown[]>
  stop: () => Promise<void>
}

/** Path of a program in Debian's package mariadb-server. */
const programs = (name: string) =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
    .map((folder) => join(folder, name))
    .find(existsSync)

/** Whether MariaDB's programs are installed. */
export const hasMariaDb = programs('mariadbd') !== undefined && programs('mariadb-install-db') !== undefined

/** Starts a server with its own port and folder, not as root. With a certificate it accepts encrypted connections. */
export async function startMariaDb(certificate?: Certificate): Promise<MariaDb> {
  const [install, server] = [programs('mariadb-install-db'), programs('mariadbd')]
  if (!install || !server) throw new Error('MariaDB is not installed')
  const folder = await mkdtemp(join(await quickestFolder(), 'rowferry-mariadb-'))
  const account = serverUser(join(folder, 'data'))
  if (account) await chown(folder, account.uid, account.gid)
  const options = { ...account, cwd: folder, env: { PATH: process.env.PATH, HOME: folder } }
  const data = `--datadir=${join(folder, 'data')}`
  await run(
    install,
    ['--no-defaults', data, '--auth-root-authentication-method=normal', '--skip-test-db'],
    options,
  )
  const encryption = certificate ? await encryptionBy(certificate, folder, account) : []
  const port = await freePort()
  const child = spawn(
    server,
    [
      '--no-defaults',
      data,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      '--innodb-buffer-pool-size=32M',
      '--innodb-flush-log-at-trx-commit=0',
      '--character-set-server=latin1',
      ...encryption,
    ],
    { ...options, stdio: 'ignore' },
  )
  const root = await connected(child, port)
  await root.query('create database shop')
  await root.query(`create user reader@'%' identified by 'secret'`)
  await root.query("grant select on shop.* to reader@'%'")
  return {
    port,
    query: async (sql) => {
      const [rows] = await root.query(sql)
      return Array.isArray(rows) ? rows : []
    },
    stop: async () => {
      await root.end()
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function encryptionBy({ cert, key }: Certificate, folder: string, account: Account): Promise<string[]> {
  const files = { 'ssl-cert': cert, 'ssl-key': key }
  return Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      const path = join(folder, `${name}.pem`)
      await writeFile(path, text, { mode: 0o600 })
      if (account) await chown(path, account.uid, account.gid)
      return `--${name}=${path}`
    }),
  )
}

type Account = ReturnType<typeof serverUser>

async function connected(child: ChildProcess, port: number): Promise<mysql.Connection> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`MariaDB ended with ${child.exitCode}`)
    try {
      return await mysql.createConnection({ host: '127.0.0.1', port, user: 'root', multipleStatements: true })
    } catch {
      await sleep(50)
    }
  }
}
