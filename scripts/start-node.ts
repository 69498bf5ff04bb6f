import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Account } from '../src/server/platform/system-account.ts'
import type { Running } from './supervise.ts'

/** A Node program that runs. */
export type RunningNode = Running & {
  /** Tells it something; nothing if it has ended. */
  send: (message: object) => void
}

const EXIT_WITH_PARENT = join(import.meta.dirname, 'exit-with-parent.ts')
// A worker takes up to 10 s to hand its runs back.
const STOP_TIMEOUT_MS = 13_000

/** Runs a Node program that ends when we do. `stop()` asks it to end and kills it after 13 s. Throws if it cannot be started. */
export async function startNode(
  args: string[],
  env: Record<string, string>,
  /** Undefined: our own. */
  account?: Account,
): Promise<RunningNode> {
  const child = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, ...args], {
    ...account,
    env: { ...process.env, ...env },
    // A group of its own: Ctrl-C on a terminal reaches only us, and we end things in order.
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
