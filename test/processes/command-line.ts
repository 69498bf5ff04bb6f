import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { rowferry } from '../../src/cli/rowferry.ts'

type Options = {
  env?: Record<string, string>
  /** The input, typed or piped. */
  input?: string
  isTerminal?: boolean
  signal?: AbortSignal
  retry_for_ms?: number
  /** Called with all that was printed so far, both streams together. */
  onOutput?: (text: string) => void
}

/** A home folder of the test's own, from which command lines are carried out in this process. */
export async function commandLine() {
  const home = await mkdtemp(join(tmpdir(), 'rowferry-cli-'))
  onTestFinished(() => rm(home, { recursive: true }))
  return {
    home,
    run: async (
      line: string | string[],
      { env = {}, input, isTerminal = false, signal, retry_for_ms = 60_000, onOutput }: Options = {},
    ) => {
      let [out, err] = ['', '']
      const printed = () => onOutput?.(out + err)
      const exit = await rowferry(typeof line === 'string' ? line.split(' ') : line, {
        env,
        home,
        out: (text) => {
          out += text
          printed()
        },
        err: (text) => {
          err += text
          printed()
        },
        isTerminal,
        readSecret: async () => input ?? null,
        retry_for_ms,
        signal: signal ?? new AbortController().signal,
      })
      return { exit, out, err }
    },
  }
}
