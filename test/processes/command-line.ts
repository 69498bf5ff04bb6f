import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { rowferry } from '../../src/cli/rowferry.ts'

type Options = {
  env?: Record<string, string>
  /** Standard input. */
  input?: string
  isTerminal?: boolean
  zone?: string
  signal?: AbortSignal
  retry_for_ms?: number
  /** Called with the complete output so far, stdout and stderr combined. */
  onOutput?: (text: string) => void
}

/** Creates a home folder and runs commands of the command line with it in this process. */
export async function commandLine() {
  const home = await mkdtemp(join(tmpdir(), 'rowferry-cli-'))
  onTestFinished(() => rm(home, { recursive: true }))
  return {
    home,
    run: async (
      line: string | string[],
      {
        env = {},
        input,
        isTerminal = false,
        zone = 'UTC',
        signal,
        retry_for_ms = 60_000,
        onOutput,
      }: Options = {},
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
        zone,
        readSecret: async () => input ?? null,
        lines: async function* () {
          yield* (input ?? '').split('\n')
        },
        retry_for_ms,
        signal: signal ?? new AbortController().signal,
      })
      return { exit, out, err }
    },
  }
}
