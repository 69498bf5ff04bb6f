import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../src/server/platform/config.ts'
import { type Account, systemAccount } from '../src/server/platform/system-account.ts'

const ROOT = join(import.meta.dirname, '..')
const FIRST_FREE_PORT = '/proc/sys/net/ipv4/ip_unprivileged_port_start'

/** System account for the processes (undefined: the current user), and a message for the operator who started as root. */
export type ServiceAccount = { account: Account | undefined; notice: string | undefined }

/** If started as root: the account rowferry, if it can be created and can read all required files. */
export function serviceAccount(config: Config): ServiceAccount {
  if (process.getuid?.() !== 0) return { account: undefined, notice: undefined }
  const account = systemAccount()
  const obstacle = account ? obstacleOf(account, config) : 'the account "rowferry" could not be created'
  if (obstacle === undefined) return { account, notice: 'Its processes run as the system account rowferry.' }
  return {
    account: undefined,
    notice:
      `Its processes run as root, since ${obstacle}. An attacker who takes over one of them controls this machine: ` +
      'start Rowferry as an ordinary user, or from a folder that other accounts can read, such as /opt/rowferry.',
  }
}

function obstacleOf(account: Account, { port, dataDir, google }: Config): string | undefined {
  if (port < firstFreePort()) return `only root may listen on port ${port}`
  if (!passes(account, '-x', dataDir)) return `other accounts cannot enter ${dataDir}`
  const needed = [
    'src/server/main.ts',
    'sandbox/main.ts',
    'dist/web/index.html',
    'node_modules/pg/package.json',
  ]
  const files = [...needed.map((path) => join(ROOT, path)), google.serviceAccount?.file ?? process.execPath]
  const closed = [process.execPath, ...files].find((path) => !passes(account, '-r', path))
  return closed && `others may not read ${closed}`
}

function firstFreePort(): number {
  return process.platform === 'linux' ? Number(readFileSync(FIRST_FREE_PORT, 'utf8')) : 1024
}

function passes(account: Account, test: '-r' | '-x', path: string): boolean {
  try {
    execFileSync('/usr/bin/env', ['test', test, path], {
      ...account,
      cwd: '/',
      stdio: 'ignore',
      timeout: 10_000,
    })
    return true
  } catch {
    return false
  }
}
