import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'
import type { DatabaseRead, Engine } from './server.ts'
import { sqliteFailure } from './sqlite-errors.ts'
import { sqliteFile } from './sqlite-file.ts'
import { SqliteEnd } from './sqlite-talk.ts'

const MEMORY_MEGABYTES = 256
const HEAP_MEGABYTES = 96
const LINE_END = 0x0a
const OBJECT = 0x7b
const SOURCES = join(import.meta.dirname, '../../..')

/** SQLite: one statement on a file that is opened for reading only, in a process that may read nothing else. */
export const sqlite: Engine = {
  read,
  failure: (error) => (error instanceof OriginFailure ? error : sqliteFailure(error)),
}

async function* read({ settings, use, signal, notes }: DatabaseRead): AsyncGenerator<Uint8Array[]> {
  const { folder } = sqliteFile(settings.file, use.sqlite_folder)
  await use.beforeRequest()
  signal.throwIfAborted()
  const child = startReader(folder, settings.file)
  const exited = once(child, 'exit')
  const kill = () => {
    child.kill('SIGKILL')
  }
  signal.addEventListener('abort', kill)
  let complaint = ''
  child.stderr.on('data', (piece: Buffer) => {
    complaint += piece.toString('utf8')
  })
  try {
    // It stays open: its end tells the process that nobody wants the answer any more.
    child.stdin.on('error', () => {}).write(`${JSON.stringify(settings.statement)}\n`)
    for await (const lines of linesOf(child.stdout)) {
      const last = lines.at(-1)
      if (last?.[0] !== OBJECT) {
        yield lines
        continue
      }
      if (lines.length > 1) yield lines.slice(0, -1)
      const end = SqliteEnd.parse(JSON.parse(Buffer.from(last).toString('utf8')))
      if ('kind' in end) throw new OriginFailure(end.kind, end.message)
      for (const { note, column, times } of end.notes) notes.add(note, column, times)
      return
    }
    throw complaint === 'memory'
      ? new OriginFailure('invalid', messages.sqlite_memory(MEMORY_MEGABYTES))
      : new OriginFailure('unavailable', messages.sqlite_ended, { cause: complaint })
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
    await exited
  }
}

/** The process has no environment, no rights but to read the program and the folder, and not much memory. */
const startReader = (folder: string, file: string): ChildProcessWithoutNullStreams =>
  spawn(
    process.execPath,
    [
      '--no-warnings',
      '--permission',
      '--allow-worker',
      `--allow-fs-read=${folder}`,
      `--allow-fs-read=${SOURCES}`,
      `--max-old-space-size=${HEAP_MEGABYTES}`,
      join(import.meta.dirname, 'sqlite-process.ts'),
      folder,
      file,
      String(MEMORY_MEGABYTES),
    ],
    { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'pipe'] },
  )

async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array[]> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of stream) {
    const whole = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
    const lines: Uint8Array[] = []
    let at = 0
    for (let end = whole.indexOf(LINE_END); end >= 0; end = whole.indexOf(LINE_END, at)) {
      lines.push(whole.subarray(at, end))
      at = end + 1
    }
    rest = whole.subarray(at)
    if (lines.length > 0) yield lines
  }
}
