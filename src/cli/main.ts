import { homedir } from 'node:os'
import { createInterface } from 'node:readline'
import { EXIT } from './command.ts'
import { failureText, notWritten } from './failure.ts'
import { rowferry } from './rowferry.ts'

/** Reads one line from standard input, without echo on a terminal. Null at the end of the input. */
async function readSecret(question: string): Promise<string | null> {
  const { stdin, stderr } = process
  if (stdin.isTTY) {
    stderr.write(question)
    stdin.setRawMode(true)
  }
  const lines = createInterface({ input: stdin, terminal: false })
  try {
    for await (const line of lines) return line.trim()
    return null
  } finally {
    lines.close()
    if (stdin.isTTY) {
      stdin.setRawMode(false)
      stderr.write('\n')
    }
  }
}

const leaving = new AbortController()
process.once('SIGINT', () => leaving.abort())
process.once('SIGTERM', () => leaving.abort())
let unwritten: NodeJS.ErrnoException | undefined
process.stdout.on('error', (error) => {
  if (unwritten === undefined && error.code !== 'EPIPE')
    process.stderr.write(failureText(notWritten(error), process.argv.includes('--json')))
  unwritten ??= error
  leaving.abort()
})
// The reader of the output is gone: the error cannot be reported.
process.stderr.on('error', () => {})
// A failed write of the last output is only reported now.
process.on('exit', () => {
  if (unwritten === undefined) return
  // The reader closed the pipe, as `head` does; the exit status still reports the result of the run.
  if (unwritten.code !== 'EPIPE') process.exitCode = EXIT.unwritten
  else if (process.exitCode === EXIT.interrupted) process.exitCode = EXIT.ok
})

process.exitCode = await rowferry(process.argv.slice(2), {
  env: process.env,
  home: homedir(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  readSecret,
  lines: () => createInterface({ input: process.stdin, signal: leaving.signal }),
  retry_for_ms: 60_000,
  signal: leaving.signal,
})
