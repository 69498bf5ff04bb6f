import { splitServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'
import { parseRow } from '../../../connectors/row-json.ts'
import { RunFailure } from '../../../engine/types.ts'
import { findColumn, headerNames } from '../../../snapshots/column-names.ts'
import { readSnapshot, type StoredSnapshot, snapshotTexts } from '../../../snapshots/snapshot.ts'
import { CELL_CHARACTERS } from '../../cell-notes.ts'
import type { CopyAttempt } from '../attempt.ts'
import { isSameSpreadsheet } from '../definition.ts'
import type { CopySource } from '../read/consolidated-source.ts'
import { openSource } from '../read/open-tables.ts'
import { originsOf } from '../read/origin.ts'
import { logReadSummary } from '../read/read-summary.ts'
import { timeCell, timedVersion } from '../read/run-time.ts'
import { readSource } from '../read/source-copy.ts'
import type { SplitState } from './split-state.ts'
import { RowsByValue, type TabRows } from './tab-names.ts'

/** `source`: null if an earlier worker of the run has read it. */
export type WholeTable = { whole: StoredSnapshot; source: CopySource | null }

/** Reads the source of a split task into a snapshot, or reopens that of an earlier worker of the run. */
export async function readWhole(attempt: CopyAttempt, state: SplitState): Promise<WholeTable> {
  const { settings, context, definition, keeper } = attempt
  const { snapshot_id } = state.value
  if (snapshot_id !== null) return { whole: await requireSnapshot(context.db, snapshot_id), source: null }
  const last = definition.snapshot_id === null ? null : await readSnapshot(context.db, definition.snapshot_id)
  const { source, accountsUsed } = await openSource(attempt, last)
  for (const message of source.warnings) await context.warn({ kind: 'tab', subject: message, message })
  const time = timeCell(new Date(state.value.started_at), settings.zone ?? 'UTC')
  const { copy, report } = await readSource({
    ...{ context, pool: settings.pool, source, arrangement: definition, cell_characters: CELL_CHARACTERS },
    originAt: originsOf(definition, source, time),
    last: await timedVersion(context.db, last, definition.extra_columns),
    ...{ streamed: null, onRequested: () => {}, discard: async () => {} },
  })
  const target = {
    provider: 'Google Sheets',
    cell_characters: CELL_CHARACTERS,
    readFormats: async () => new Map(),
  }
  await logReadSummary(context, { source, target }, copy, report)
  const { read, write } = keeper.requests
  const whole = await requireSnapshot(context.db, copy.snapshot_id)
  await state.save({
    ...{ snapshot_id: whole.id, format_sample_rows: report.format_sample_rows, account: accountsUsed() },
    ...{ reads: read, writes: write },
  })
  return { whole, source }
}

async function requireSnapshot(db: CopyAttempt['context']['db'], id: number): Promise<StoredSnapshot> {
  const stored = await readSnapshot(db, id)
  if (!stored) throw new Error(`Snapshot ${id} of a run in progress is gone`)
  return stored
}

/** The rows of each tab. Throws RunFailure if the rows cannot be split; nothing was written. */
export async function rowsOfTabs(
  { context, definition }: CopyAttempt,
  { whole, source }: WholeTable,
  split_by: string,
): Promise<TabRows[]> {
  const column = findColumn(headerNames(whole.header), split_by)
  const title = source?.title ?? 'The source'
  if (column < 0) throw failure(messages.column_missing(title, split_by))
  if (whole.row_count === 0) throw failure(messages.no_rows(title))
  const byValue = new RowsByValue(definition.split_tab_name)
  let number = 0
  for await (const texts of snapshotTexts(context.db, whole.id, 1, whole.row_count + 1)) {
    for (const text of texts) {
      number += 1
      const row = parseRow(text)
      if (row.length > 0) byValue.add(number, row[column] ?? null)
    }
    await context.progress({ rows_done: number, rows_total: whole.row_count, phase: 'Splitting the rows' })
  }
  const problem = byValue.problem(split_by, definition.start_row)
  if (problem !== null) throw failure(problem)
  refuseSources(definition, source, byValue.tabs)
  return byValue.tabs
}

/** Refuses tabs that are a source of the task. */
function refuseSources(
  definition: CopyAttempt['definition'],
  source: CopySource | null,
  tabs: readonly TabRows[],
) {
  const sources = [definition, ...definition.further_sources]
  for (const [place, identity] of [source?.identity ?? null, ...(source?.further ?? [])].entries()) {
    const own = sources[place]
    if (!identity || !own || !isSameSpreadsheet({ ...definition, ...own })) continue
    const same = tabs.find(({ name }) => name.toLowerCase() === identity.sheet_name.toLowerCase())
    if (same) throw failure(messages.is_source(same.value, identity.sheet_name))
  }
}

const failure = (message: string) => new RunFailure(message, { retryable: false })
