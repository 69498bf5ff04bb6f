import { join } from 'node:path'
import { OriginFailure } from '../connector.ts'
import { IsolatedProcess } from '../isolated/child.ts'
import type { DatabaseRead, Engine } from './server.ts'
import { sqliteFailure } from './sqlite-errors.ts'
import { sqliteFile } from './sqlite-file.ts'
import { SqliteEnd } from './sqlite-messages.ts'

const MEMORY_MEGABYTES = 256
const OBJECT = 0x7b

/** SQLite: one statement on a read-only file, in a process that may read nothing else. */
export const sqlite: Engine = {
  read,
  failure: (error) => (error instanceof OriginFailure ? error : sqliteFailure(error)),
}

async function* read({ settings, context, signal, notes }: DatabaseRead): AsyncGenerator<Uint8Array[]> {
  const { folder } = sqliteFile(settings.file, context.sqlite_folder)
  await context.beforeRequest()
  signal.throwIfAborted()
  const child = new IsolatedProcess(
    {
      program: join(import.meta.dirname, 'sqlite-process.ts'),
      megabytes: MEMORY_MEGABYTES,
      // The statement has its own timeout.
      cpu_seconds: null,
      readable: [folder],
      args: [folder, settings.file],
    },
    signal,
  )
  try {
    child.send(JSON.stringify(settings.statement))
    for await (const lines of child.lines) {
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
    throw await child.failure()
  } finally {
    await child.end()
  }
}
