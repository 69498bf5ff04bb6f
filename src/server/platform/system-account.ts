import { execFileSync } from 'node:child_process'

/** An account of this machine. */
export type Account = { uid: number; gid: number }

const NAME = 'rowferry'

// From shadow-utils, which most systems have, or BusyBox.
const MAKERS: [string, ...string[]][] = [
  [
    'useradd',
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir=/nonexistent',
    '--shell=/usr/sbin/nologin',
    NAME,
  ],
  ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin', NAME],
]

/**
 * The system account "rowferry" for programs that root starts, created if necessary; undefined if it cannot be
 * created, or we are not root.
 */
export function systemAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const known = lookUp()
  if (known) return known
  for (const maker of MAKERS) {
    run(maker)
    // Also after a failure, because another process may have created it at the same time.
    const made = lookUp()
    if (made) return made
  }
  return undefined
}

function lookUp(): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map((part) => Number(run(['id', part, NAME]) || 0))
  return uid && gid ? { uid, gid } : undefined
}

/** The output of a program; blank if it failed. */
function run([program, ...args]: [string, ...string[]]): string {
  try {
    return execFileSync(program, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
      timeout: 10_000,
    })
  } catch {
    return ''
  }
}
