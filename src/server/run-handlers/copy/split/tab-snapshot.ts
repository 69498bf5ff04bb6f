import { sql } from 'kysely'
import { z } from 'zod'
import type { Row } from '../../../../contract/tables.ts'
import { parseRow, rowText } from '../../../connectors/row-json.ts'
import type { RunContext } from '../../../engine/types.ts'
import { alignCells, type FormerColumns } from '../../../plans/align-columns.ts'
import type { Db } from '../../../platform/db.ts'
import { TableFormats } from '../../../snapshots/column-format.ts'
import { headerNames } from '../../../snapshots/column-names.ts'
import { TableHash } from '../../../snapshots/fingerprint.ts'
import {
  beginSnapshot,
  completeSnapshot,
  readSnapshot,
  SourcePart,
  type StoredSnapshot,
  snapshotTexts,
} from '../../../snapshots/snapshot.ts'
import { SnapshotWriter } from '../../../snapshots/snapshot-writer.ts'
import type { CopyAttempt } from '../attempt.ts'
import { arrangeFormats } from '../read/arrange-formats.ts'
import { joinFormats } from '../read/consolidated-formats.ts'
import type { SplitTab } from './split-tabs.ts'

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

/** Stores the rows of all tabs one below the other as one snapshot, in columns matched by their headers. */
export async function snapshotOfTabs(
  { context, settings }: CopyAttempt,
  tabs: readonly SplitTab[],
): Promise<number> {
  const { db, run } = context
  const parts = await joinTabs(db, tabs)
  const header = parts[0]?.joined ?? []
  const id = await context.transaction((trx) =>
    beginSnapshot(trx, { task_id: run.task_id, run_id: run.id, kind: 'copy' }),
  )
  const writer = new SnapshotWriter(settings.pool, id)
  const hash = new TableHash()
  hash.push(Buffer.from(rowText(header)))
  let row_count = 0
  try {
    for (const { tab, columns } of parts) {
      for await (const texts of snapshotTexts(db, tab.id, 1, tab.row_count + 1)) {
        await context.assertLease()
        for (const text of texts) {
          row_count += 1
          const row = columns === null ? text : rowText(alignCells(parseRow(text), columns))
          writer.add(row_count, row)
          hash.push(Buffer.from(row))
        }
        await writer.flushIfLarge()
      }
    }
    await writer.close()
  } catch (error) {
    await writer.abandon()
    throw error
  }
  const formats = new TableFormats(
    joinFormats(
      header.map((_, place) =>
        parts.flatMap(({ tab, first_row, columns }) => {
          const column = columns === null ? place : (columns[place] ?? -1)
          const { format, runs } = tab.formats.of(column)
          const { row_count: rows } = tab
          return column < 0 || rows === 0 ? [] : { first_row, rows, format, runs, mixed: runs !== null }
        }),
      ),
    ),
  )
  await context.transaction((trx) =>
    completeSnapshot(trx, id, { header, formats, row_count, hash: hash.digest() }),
  )
  return id
}

/** `joined`: the header row of all tabs. `columns`: the tab's column by column of that row, -1: none; null: the same columns. */
type JoinedTab = { tab: StoredSnapshot; first_row: number; joined: Row; columns: FormerColumns }

/** Columns stand in the order in which they appear first. */
async function joinTabs(db: Db, tabs: readonly SplitTab[]): Promise<JoinedTab[]> {
  const stored: StoredSnapshot[] = []
  for (const { snapshot_id } of tabs) {
    const tab = snapshot_id === null ? null : await readSnapshot(db, snapshot_id)
    if (tab) stored.push(tab)
  }
  const cells = new Map<string, Row[number]>()
  for (const { header } of stored)
    for (const [column, name] of headerNames(header).entries())
      if (!cells.has(name)) cells.set(name, header[column] ?? null)
  const joined = [...cells.values()]
  let first_row = 1
  return stored.map((tab) => {
    const names = headerNames(tab.header)
    const columns = [...cells.keys()].map((name) => names.indexOf(name))
    const isSame = names.every((_, place) => columns[place] === place)
    const part = { tab, first_row, joined, columns: isSame ? null : columns }
    first_row += tab.row_count
    return part
  })
}
