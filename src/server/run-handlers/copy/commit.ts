import type { NumberFormat } from '../../../contract/tables.ts'
import type { RowTexts, Target } from '../../connectors/connector.ts'
import { rowText } from '../../connectors/row-json.ts'
import type { RunContext } from '../../engine/types.ts'
import { snapshotRows } from '../../snapshots/snapshot.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Difference } from './comparison.ts'
import { type Fence, forgetFence, openFence } from './fence.ts'
import { type FormerRows, recordArea } from './owned-areas.ts'
import { resizedWarning } from './sentences.ts'
import type { SourceCopy } from './source-copy.ts'

/** Bytes of rows in one request: Google advises 2 MB. */
const REQUEST_BYTES = 1_990_000

export type CommitMode = 'small' | 'staged' | 'in_place'

/** A change of a column's number format; null makes it automatic. */
export type FormatChange = { column: number; format: NumberFormat | null }

type Deps = {
  context: RunContext
  target: Target
  target_ss_id: string
  copy: SourceCopy
  chunk_size: number
  owned_columns: number
  /** The header row, counted from 1. */
  start_row: number
  /** Rows above it that were the task's. */
  former: FormerRows[]
  /** Changes the checkpoint and stores it. */
  save: (change: Partial<Checkpoint>) => Promise<void>
}

/** How a difference can be committed: one request with the cells, a table that is staged first, or piece by piece. */
export function commitMode(
  target: Target,
  copy: SourceCopy,
  difference: Difference,
  fence: Fence | null,
): CommitMode {
  const { rows } = copy.fingerprint
  const id = fence?.id ?? null
  if (difference.cells) return target.hasRoom(rows, copy.columns, { id, cells: 1 }) ? 'small' : 'in_place'
  return target.hasRoom(rows, copy.columns, { id, cells: rows * copy.columns }) ? 'staged' : 'in_place'
}

/**
 * Turns the target into the copy. `fence` is the one that an earlier commit of this attempt was made under, if it is still
 * there. Whether the commit went through is for the caller to read back.
 */
export async function commitDifference(
  deps: Deps,
  difference: Difference,
  {
    mode,
    formats,
    fence,
  }: { mode: Exclude<CommitMode, 'in_place'>; formats: FormatChange[]; fence: Fence | null },
): Promise<void> {
  const { context, target } = deps
  const { cells } = difference
  const change = { ...shapeOf(deps), formats }
  await recordArea(context, { ...areaOf(deps), late: false })
  const size = mode === 'small' ? { rows: 1, columns: 1 } : { rows: change.rows, columns: change.columns }
  const tab = fence ?? (await openFence(deps, size))
  if (mode === 'staged') {
    await target.growFence(tab.id, size)
    await stageRows(deps, tab)
  }
  const content = mode === 'small' && cells ? { kind: 'cells' as const, cells } : { kind: 'staged' as const }
  await context.progress({ phase: 'Committing' })
  // Staging takes a while, in which others may have inserted or deleted rows or columns.
  if (mode === 'staged') await target.refresh()
  const { resized } = await target.commit({ ...change, content }, tab.id)
  await forgetFence(deps, tab.id)
  if (resized)
    await context.warn({ kind: 'resized', subject: target.title, message: resizedWarning(target.title) })
}

/** The same without a fence, for want of room: rows are written one after the other, and may be once more, at any time. */
export async function writeInPlace(
  deps: Deps,
  difference: Difference,
  formats: FormatChange[],
): Promise<void> {
  const { context, target } = deps
  const { cells } = difference
  const change = { ...shapeOf(deps), formats }
  await recordArea(context, { ...areaOf(deps), late: true })
  if (cells) return target.commitUnfenced({ ...change, content: { kind: 'cells', cells } })
  await target.prepare(change.rows, change.columns)
  await placeRows(deps, difference)
  return target.commitUnfenced({ ...change, content: { kind: 'placed' } })
}

const areaOf = ({ start_row, copy: { columns, header } }: Deps) => ({ start_row, columns, header })

const shapeOf = ({ copy, owned_columns, former }: Deps) => ({
  rows: copy.fingerprint.rows,
  columns: copy.columns,
  owned_columns,
  former,
})

async function stageRows(deps: Deps, fence: Fence): Promise<void> {
  const { context, target, copy, save } = deps
  const { rows } = copy.fingerprint
  let done = fence.rows
  const requests = ahead(packed(rowTexts(deps, done, rows), deps.chunk_size))
  for await (const pieces of requests) {
    await target.stage(fence.id, pieces, copy.columns)
    for (const { texts } of pieces) done += texts.length
    await save({ fence: { ...fence, rows: done } })
    await context.progress({ rows_done: Math.max(0, done - 1), rows_total: rows - 1, phase: 'Writing' })
  }
}

async function placeRows(deps: Deps, difference: Difference): Promise<void> {
  const { context, target, copy } = deps
  const { rows } = copy.fingerprint
  let done = 0
  for await (const pieces of ahead(packed(differingTexts(deps, difference), deps.chunk_size))) {
    await target.place(pieces, copy.columns)
    for (const { texts } of pieces) done += texts.length
    await context.progress({
      rows_done: done,
      rows_total: Math.min(rows, difference.rows.size),
      phase: 'Writing in place',
    })
  }
}

type NumberedText = { row: number; text: string }

/** Rows of the copy as JSON, from row `from` up to, not including, `to`; row 0 is the header row. */
async function* rowTexts({ context, copy }: Deps, from: number, to: number): AsyncGenerator<NumberedText> {
  if (from === 0) yield { row: 0, text: rowText(copy.header) }
  let row = Math.max(1, from)
  for (; row < to; row += 1) {
    const text = copy.texts.get(row)
    if (text === undefined) break
    yield { row, text }
  }
  for await (const page of snapshotRows(context.db, copy.snapshot_id, row, to)) {
    for (const cells of page) {
      yield { row, text: rowText(cells) }
      row += 1
    }
  }
}

/** The differing rows of the copy, with '' for blank cells, so that writing them clears what is there. */
async function* differingTexts(deps: Deps, difference: Difference): AsyncGenerator<NumberedText> {
  const { context, copy } = deps
  const full = (cells: readonly unknown[]) =>
    JSON.stringify(Array.from({ length: copy.columns }, (_, column) => cells[column] ?? ''))
  for (const { from, to } of difference.rows.ranges(copy.fingerprint.rows)) {
    if (from === 0) yield { row: 0, text: full(copy.header) }
    let row = Math.max(1, from)
    for await (const page of snapshotRows(context.db, copy.snapshot_id, row, to)) {
      for (const cells of page) {
        yield { row, text: full(cells) }
        row += 1
      }
    }
  }
}

/** The same items, each prepared while the one before is in use. */
async function* ahead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  const prepare = () => {
    const next = iterator.next()
    // Heard when its turn comes; until then it is not unhandled.
    next.catch(() => {})
    return next
  }
  let next = prepare()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = prepare()
      yield value
    }
  } finally {
    await next.catch(() => {})
    await iterator.return?.()
  }
}

/** Rows in portions of one request: as many as fit, in ranges that end where a chunk does. */
async function* packed(rows: AsyncIterable<NumberedText>, chunkSize: number): AsyncGenerator<RowTexts[]> {
  let pieces: RowTexts[] = []
  let bytes = 0
  let last: RowTexts | undefined
  for await (const { row, text } of rows) {
    const size = Buffer.byteLength(text) + 1
    if (bytes + size > REQUEST_BYTES && pieces.length > 0) {
      yield pieces
      pieces = []
      bytes = 0
      last = undefined
    }
    const follows = last !== undefined && row === last.row + last.texts.length && row % chunkSize !== 0
    if (!last || !follows) {
      last = { row, texts: [] }
      pieces.push(last)
      // The range around the rows.
      bytes += 60
    }
    last.texts.push(text)
    bytes += size
  }
  if (pieces.length > 0) yield pieces
}
