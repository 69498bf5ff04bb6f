import { sql } from 'kysely'
import { z } from 'zod'
import { rowText } from '../../../connectors/row-json.ts'
import type { RunContext } from '../../../engine/types.ts'
import { TableHash } from '../../../snapshots/fingerprint.ts'
import {
  beginSnapshot,
  completeSnapshot,
  readSnapshot,
  SourcePart,
  type StoredSnapshot,
  snapshotTexts,
} from '../../../snapshots/snapshot.ts'
import { arrangeFormats } from '../read/arrange-formats.ts'

/** Stores chosen data rows of a snapshot, counted from 1, as a snapshot of their own. */
export async function snapshotOfRows(
  context: RunContext,
  whole: StoredSnapshot,
  rows: readonly number[],
): Promise<StoredSnapshot> {
  const { task_id, id: run_id } = context.run
  const { header } = whole
  const id = await context.transaction(async (trx) => {
    const into = await beginSnapshot(trx, { task_id, run_id, kind: 'copy' })
    await sql`
      insert into snapshot_rows (snapshot_id, row_no, cells)
      select ${into}::int, chosen.place, r.cells
      from unnest(${[...rows]}::int[]) with ordinality as chosen (row_no, place)
      join snapshot_rows r on r.snapshot_id = ${whole.id} and r.row_no = chosen.row_no`.execute(trx)
    return into
  })
  const hash = new TableHash()
  hash.push(Buffer.from(rowText(header)))
  for await (const texts of snapshotTexts(context.db, id, 1, rows.length + 1))
    for (const text of texts) hash.push(Buffer.from(text))
  const formats = arrangeFormats(
    whole.formats.columns.map((format) => ({ ...format, mixed: format.runs !== null })),
    rows,
  )
  const { sources, numbers } = await originsOfRows(context, whole.id, rows)
  await context.transaction((trx) =>
    completeSnapshot(trx, id, {
      ...{ header, formats, row_count: rows.length, hash: hash.digest(), source_rows: numbers },
      ...sources,
    }),
  )
  const stored = await readSnapshot(context.db, id)
  if (!stored) throw new Error('A snapshot that was just completed is gone')
  return stored
}

/** Where the rows of the whole snapshot were read. */
async function originsOfRows({ db }: RunContext, id: number, rows: readonly number[]) {
  const { source_columns, source_rows, source_parts, read_snapshot_id } = await db
    .selectFrom('snapshots')
    .select(['source_columns', 'source_rows', 'source_parts', 'read_snapshot_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    sources: {
      ...{ source_columns, read_snapshot_id },
      source_parts: source_parts === null ? null : z.array(SourcePart).parse(source_parts),
    },
    numbers: rows.map((row) => source_rows?.[row - 1] ?? row),
  }
}
