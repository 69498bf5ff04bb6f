import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { rowferry } from '../src/cli/rowferry.ts'

type Options = {
  env?: Record<string, string>
  /** What is typed or piped in. */
  input?: string
  isTerminal?: boolean
  signal?: AbortSignal
  patience_ms?: number
  /** Hears all that was printed so far, both streams together. */
  heard?: (text: string) => void
}

/** A home folder of the test's own, from which command lines are carried out in this process. */
export async function commandLine() {
  const home = await mkdtemp(join(tmpdir(), 'rowferry-cli-'))
  onTestFinished(() => rm(home, { recursive: true }))
  return {
    home,
    run: async (
      line: string | string[],
      { env = {}, input, isTerminal = false, signal, patience_ms = 60_000, heard }: Options = {},
    ) => {
      let [out, err] = ['', '']
      const told = () => heard?.(out + err)
      const exit = await rowferry(typeof line === 'string' ? line.split(' ') : line, {
        env,
        home,
        out: (text) => {
          out += text
          told()
        },
        err: (text) => {
          err += text
          told()
        },
        isTerminal,
        readSecret: async () => input ?? null,
        patience_ms,
        signal: signal ?? new AbortController().signal,
      })
      return { exit, out, err }
    },
  }
}
