import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { FrameReader } from './frames.ts'

// A backup is one gzip file: a header line; for each table a line and its rows as COPY writes them, in frames; a line of
// sequences; a last line with the counts and the SHA-256 of all before it.

/** What a backup says of itself. */
export const Header = z.object({
  rowferry_backup: z.literal(1),
  /** Of the program that wrote it. */
  program: z.string(),
  /** The number of its last migration. */
  schema_version: z.int(),
  made_at: z.string(),
  /** Tells the key that seals grants and connections, which is not in the file, from others. */
  key_id: z.string(),
})
export type Header = z.infer<typeof Header>

const Table = z.object({ table: z.string(), columns: z.array(z.string()) })
export type Table = z.infer<typeof Table>

const Sequence = z.object({ name: z.string(), value: z.string() })
const Sequences = z.object({ sequences: z.array(Sequence) })
export type Sequence = z.infer<typeof Sequence>

const End = z.object({ rows: z.record(z.string(), z.int()), sha256: z.string() })
export type End = z.infer<typeof End>

/** The backup cannot be made, read or restored; the message says why, and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** What becomes of the parts of a backup, in their order. */
export type BackupParts = {
  header: (header: Header) => Promise<void>
  /** Must take all rows before it resolves. */
  table: (table: Table, rows: AsyncIterable<Buffer>) => Promise<void>
  sequences: (sequences: Sequence[]) => Promise<void>
}

/** Goes through a backup. Throws BackupError for what is none, is cut off, or is not as it was written. */
export async function readBackup(file: string, parts: BackupParts): Promise<End> {
  const hash = createHash('sha256')
  const unpacked = createGunzip()
  // A pipe does not pass on that the file cannot be read.
  createReadStream(file)
    .on('error', (error) => unpacked.destroy(error))
    .pipe(unpacked)
  const reader = new FrameReader(unpacked, (bytes) => hash.update(bytes))
  await parts.header(Header.parse(await reader.line()))
  for (;;) {
    const line = await reader.line()
    const sequences = Sequences.safeParse(line)
    if (sequences.success) {
      await parts.sequences(sequences.data.sequences)
      break
    }
    await parts.table(Table.parse(line), reader.frames())
  }
  const end = End.parse(await reader.line({ silent: true }))
  if (end.sha256 !== hash.digest('hex')) throw new BackupError(`${file} is damaged: its checksum is another.`)
  return end
}

/** Reads a whole backup and answers its header. Throws BackupError for one that cannot be restored as it is. */
export async function checkBackup(file: string): Promise<Header> {
  let found: Header | undefined
  try {
    await readBackup(file, {
      header: async (header) => {
        found = header
      },
      table: async (_table, rows) => {
        for await (const _ of rows);
      },
      sequences: async () => {},
    })
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`${file} is no whole backup of Rowferry: ${reasonOf(error)}`)
  }
  if (!found) throw new BackupError(`${file} has no header.`)
  return found
}

const reasonOf = (error: unknown) =>
  error instanceof z.ZodError ? 'its lines are others.' : (error as Error).message
