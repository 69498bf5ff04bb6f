import { homedir } from 'node:os'
import { createInterface } from 'node:readline'
import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { EXIT } from './command.ts'
import { rowferry } from './rowferry.ts'

/** The next line of what is typed or piped in; on a terminal it is not shown. Null at the end. */
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
    process.stderr.write(`${messages.not_written(error.message)}\n`)
  unwritten ??= error
  leaving.abort()
})
// The reader of the output is gone: the error cannot be reported.
process.stderr.on('error', () => {})
// What was written last may fail only now.
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
  readSecret,
  retry_for_ms: 60_000,
  signal: leaving.signal,
})
