import { Readable } from 'node:stream'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/schema.ts'

type Db = Kysely<Database>

// Bytes. Small enough to buffer many at once, large enough that a file takes a few dozen rows.
const PART = 262_144

/** Stores a job's file; returns its number of bytes. */
export async function writeParts(db: Db, job_id: number, source: AsyncIterable<Buffer>): Promise<number> {
  let waiting: Buffer[] = []
  let size = 0
  let part_no = 0
  let bytes = 0
  const write = async () => {
    await db
      .insertInto('csv_file_parts')
      .values({ job_id, part_no, content: Buffer.concat(waiting) })
      .execute()
    part_no += 1
    bytes += size
    waiting = []
    size = 0
  }
  for await (const piece of source) {
    waiting.push(piece)
    size += piece.length
    if (size >= PART) await write()
  }
  if (size > 0) await write()
  return bytes
}

/** Streams a job's file without keeping a connection between parts. `onRead` is called with the size of each part. */
export function readParts(db: Db, job_id: number, onRead: (bytes: number) => void = () => {}): Readable {
  return Readable.from(parts(db, job_id, onRead), { objectMode: false, highWaterMark: PART })
}

async function* parts(db: Db, job_id: number, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for (let part_no = 0; ; part_no += 1) {
    const part = await db
      .selectFrom('csv_file_parts')
      .select('content')
      .where('job_id', '=', job_id)
      .where('part_no', '=', part_no)
      .executeTakeFirst()
    if (part === undefined) return
    onRead(part.content.length)
    yield part.content
  }
}

/** Size of a job's file in bytes. */
export async function sizeOfParts(db: Db, job_id: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(length(content)), 0)::int as bytes from csv_file_parts where job_id = ${job_id}`.execute(
    db,
  )
  return rows[0]?.bytes ?? 0
}

/** Deletes a job's file. */
export async function removeParts(db: Db, job_id: number): Promise<void> {
  await db.deleteFrom('csv_file_parts').where('job_id', '=', job_id).execute()
}
