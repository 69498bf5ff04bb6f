import { homedir } from 'node:os'
import { createInterface } from 'node:readline'
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
// Whoever reads our output has seen enough, as `head` has.
process.stdout.on('error', () => process.exit(0))

process.exitCode = await rowferry(process.argv.slice(2), {
  env: process.env,
  home: homedir(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  readSecret,
  signal: leaving.signal,
})
