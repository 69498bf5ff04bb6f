import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Account } from '../src/server/platform/system-account.ts'
import type { Running } from './supervise.ts'

/** A running Node program. */
export type RunningNode = Running & {
  /** Sends a message; ignored if the process has ended. */
  send: (message: object) => void
}

const EXIT_WITH_PARENT = join(import.meta.dirname, 'exit-with-parent.ts')
// A worker takes up to 10 s to release its runs.
const STOP_TIMEOUT_MS = 13_000

/**
 * Starts a Node program that ends with this process. `stop()` sends SIGTERM, and SIGKILL after 13 s. Throws if it cannot be
 * started.
 */
export async function startNode(
  args: string[],
  env: Record<string, string>,
  /** Undefined: the current user. */
  account?: Account,
): Promise<RunningNode> {
  const child = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, ...args], {
    ...account,
    env: { ...process.env, ...env },
    // Separate process group, so that Ctrl-C reaches only the supervisor, which stops processes in order.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => child.signalCode ?? `exit code ${child.exitCode}`)
  await once(child, 'spawn')
  return {
    ended,
    send: (message) => child.connected && child.send(message),
    stop: async () => {
      child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await ended
      clearTimeout(kill)
    },
  }
}
