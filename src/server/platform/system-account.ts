import { execFileSync } from 'node:child_process'

/** An account of this machine that a program can run as. */
export type Account = { uid: number; gid: number }

const NAME = 'rowferry'

// By shadow-utils, which most systems have, or by BusyBox.
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
 * The machine's account "rowferry" for programs that root starts, made if there is none; undefined where it cannot be made,
 * or where we are not root.
 */
export function systemAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const known = lookUp()
  if (known) return known
  for (const maker of MAKERS) {
    run(maker)
    // Also when it failed because somebody else was making it at the same moment.
    const made = lookUp()
    if (made) return made
  }
  return undefined
}

function lookUp(): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map((part) => Number(run(['id', part, NAME]) || 0))
  return uid && gid ? { uid, gid } : undefined
}

/** What a program printed; blank if it failed. */
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
