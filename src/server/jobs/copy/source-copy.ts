import type { Pool } from 'pg'
import type { ColumnFormat, Row, Source } from '../../connectors/connector.ts'
import { parseRow, rowText } from '../../connectors/row-json.ts'
import { type RunContext, RunFailure } from '../../engine/types.ts'
import { Fingerprint } from './fingerprint.ts'
import { beginSnapshot, completeSnapshot, dropSnapshot, readSnapshot, snapshotRows } from './snapshot.ts'
import { SnapshotWriter } from './snapshot-writer.ts'
import { CellNotes, Projection } from './table.ts'

const SAMPLE_ROWS = 50
/** Readings after which a source that keeps changing is copied as it is. */
const MOST_READINGS = 5

/** The source as it was read: stored in a snapshot, with what is needed to compare it. */
export type SourceCopy = {
  snapshot_id: number
  header: Row
  /** Columns of the widest row. */
  columns: number
  formats: ColumnFormat['format'][]
  fingerprint: Fingerprint
  hash: string
}

type Deps = { context: RunContext; pool: Pool; source: Source; excluded_fields: string[] }

/** How reading went, beside the rows themselves. */
export type ReadingReport = {
  requests: number
  readings: number
  /** The source changed between all of them, so that rows of different moments may stand side by side. */
  unsettled: boolean
  notes: CellNotes
  excluded: string[]
  mixedFormats: number[]
}

type Table = {
  fingerprint: Fingerprint
  header: Row
  columns: number
  sample: Row[]
  notes: CellNotes
  projection: Projection
}

/**
 * Reads the source into a new snapshot. A reading that took several requests is repeated until two in a row agree,
 * because somebody may have edited in between. Throws RunFailure when there is nothing to copy.
 */
export async function readSource(deps: Deps): Promise<{ copy: SourceCopy; report: ReadingReport }> {
  const { context, pool, source } = deps
  let readings = 0
  let requests = 0
  let stored = await store()
  let settled = stored.alone
  while (!settled && readings < MOST_READINGS) {
    const again = await read(deps, null)
    readings += 1
    requests += again.requests
    settled = again.table.fingerprint.digest() === stored.table.fingerprint.digest()
    if (settled || readings >= MOST_READINGS) break
    await context.log('INFO', `${source.title} was edited while it was read. Reading it again.`)
    await context.transaction((trx) => dropSnapshot(trx, stored.snapshot_id))
    stored = await store()
    settled = stored.alone || stored.table.fingerprint.digest() === again.table.fingerprint.digest()
  }

  const { table, snapshot_id } = stored
  const { fingerprint, header, columns, notes, projection } = table
  if (notes.loading.count > 0) {
    throw new RunFailure(`${source.title} has ${notes.loading.count} cells that are still loading.`, {
      retryable: true,
    })
  }
  const judged = projection.list(await source.formats(table.sample), { format: null, mixed: false })
  const formats = judged.slice(0, columns).map(({ format }) => format)
  const hash = fingerprint.digest()
  const rows = { header, formats, row_count: Math.max(0, fingerprint.rows - 1), hash }
  await context.transaction((trx) => completeSnapshot(trx, snapshot_id, rows))
  return {
    copy: { snapshot_id, header, columns, formats, fingerprint, hash },
    report: {
      requests,
      readings,
      unsettled: !settled,
      notes,
      excluded: projection.excluded,
      mixedFormats: judged.flatMap(({ mixed }, column) => (mixed && column < columns ? column : [])),
    },
  }

  async function store() {
    const { task_id, id: run_id } = context.run
    const id = await context.transaction((trx) => beginSnapshot(trx, { task_id, run_id, kind: 'copy' }))
    const result = await read(deps, { pool, snapshot_id: id })
    readings += 1
    requests += result.requests
    return { ...result, snapshot_id: id, alone: result.requests <= 1 }
  }
}

/** The copy that an earlier worker of the same run has stored; null if it did not get that far. */
export async function reopenCopy(context: RunContext, snapshotId: number): Promise<SourceCopy | null> {
  const snapshot = await readSnapshot(context.db, snapshotId)
  if (!snapshot) return null
  const { header, formats, row_count } = snapshot
  const fingerprint = new Fingerprint()
  let columns = header.length
  if (header.length > 0 || row_count > 0) fingerprint.push(header, rowText(header))
  for await (const rows of snapshotRows(context.db, snapshotId, 1, row_count + 1)) {
    for (const row of rows) {
      fingerprint.push(row, JSON.stringify(row))
      columns = Math.max(columns, row.length)
    }
  }
  return { snapshot_id: snapshotId, header, columns, formats, fingerprint, hash: fingerprint.digest() }
}

/** One reading of the source; its rows go into a snapshot if there is one. */
async function read(
  { context, source, excluded_fields }: Deps,
  into: { pool: Pool; snapshot_id: number } | null,
): Promise<{ table: Table; requests: number }> {
  const reading = source.read()
  const notes = new CellNotes()
  const fingerprint = new Fingerprint()
  const sample: Row[] = []
  let projection: Projection | null = null
  let header: Row = []
  let columns = 0
  let seen = 0
  let blanks = 0
  const writer = into && new SnapshotWriter(into.pool, into.snapshot_id)
  try {
    for await (const batch of reading.batches) {
      for (const bytes of batch) {
        const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
        const row = parseRow(json)
        projection ??= new Projection(row, excluded_fields)
        if (seen > 0 && seen <= SAMPLE_ROWS) sample.push(row)
        seen += 1
        const projected = projection.row(row)
        // Leaving columns out may leave rows blank, and blank ones at the end do not count.
        if (projected.length === 0) {
          blanks += 1
          continue
        }
        for (; blanks > 0; blanks -= 1) add([], '[]')
        const kept = notes.take(projected, fingerprint.rows)
        // What is kept as it came need not be put together again; a blank cell at its end would be too much.
        add(kept, kept === row && !json.endsWith('""]') ? json : rowText(kept))
      }
      if (writer) await writer.flushIfLarge()
      await context.progress({
        rows_done: Math.max(0, seen - 1),
        rows_total: null,
        phase: into ? 'Reading' : 'Reading again',
      })
    }
    await writer?.close()
  } catch (error) {
    await writer?.abandon()
    throw error
  }
  return {
    table: { fingerprint, header, columns, sample, notes, projection: projection ?? new Projection([], []) },
    requests: reading.requests,
  }

  function add(row: Row, text: string): void {
    if (fingerprint.rows === 0) header = row
    else writer?.add(fingerprint.rows, text)
    columns = Math.max(columns, row.length)
    fingerprint.push(row, text)
  }
}
