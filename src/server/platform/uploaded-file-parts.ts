import type { Db, Trx } from './db.ts'

// Bytes. Small enough to buffer many at once.
const PART = 262_144

/** Stores the content of an uploaded file. */
export async function writeUploadedFile(
  trx: Trx,
  file_id: number,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  let part_no = 0
  let waiting: Buffer[] = []
  let size = 0
  const write = async () => {
    await trx
      .insertInto('uploaded_file_parts')
      .values({ file_id, part_no, content: Buffer.concat(waiting) })
      .execute()
    part_no += 1
    waiting = []
    size = 0
  }
  for await (const piece of pieces) {
    waiting.push(piece)
    size += piece.length
    if (size >= PART) await write()
  }
  if (size > 0) await write()
}

/** The content of an uploaded file, without keeping a connection between its parts. */
export async function* readUploadedFile(db: Db, file_id: number): AsyncGenerator<Buffer> {
  for (let part_no = 0; ; part_no += 1) {
    const part = await db
      .selectFrom('uploaded_file_parts')
      .select('content')
      .where('file_id', '=', file_id)
      .where('part_no', '=', part_no)
      .executeTakeFirst()
    if (!part) return
    yield part.content
  }
}
