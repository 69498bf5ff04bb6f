import type { FreshTarget, ReadableTarget, TableSize, WritableTarget } from '../../../connectors/connector.ts'
import { RunFailure } from '../../../engine/types.ts'
import type { Restores } from '../../../plans/versions.ts'
import type { Db } from '../../../platform/db.ts'
import { readSnapshot, type StoredSnapshot } from '../../../snapshots/snapshot.ts'
import { arrangeTables, type Matched } from '../arrange/arrange-tables.ts'
import { nothingToRestore, restoreRows } from '../arrange/restore-rows.ts'
import { readCommit } from '../arrange/stored-commit.ts'
import { TargetRows } from '../arrange/target-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import { type Definition, isArranged, isSameSpreadsheet, targetKey } from '../definition.ts'
import type { Binding } from '../ownership/binding.ts'
import type { Area } from '../ownership/owned-areas.ts'
import { readBinding, recordTargetTab } from '../ownership/tab-identity.ts'
import { ownedAreas } from '../ownership/target-rules.ts'
import { requirePlan, requireRows, type StoredPlan } from '../plan/stored-plan.ts'
import type { CopySource } from './consolidated-source.ts'
import { LastRows } from './last-rows.ts'
import { openPlanned, openTables, type SourceInfo, type TablePair } from './open-tables.ts'
import { originsOf } from './origin.ts'
import { logReadSummary } from './read-summary.ts'
import { timeCell, timedVersion } from './run-time.ts'
import { readSource, reopenCopy, type SourceCopy } from './source-copy.ts'
import { StreamedRows } from './streamed-rows.ts'
import { TargetPrefetch } from './target-prefetch.ts'
import { readVersionRows } from './version-rows.ts'

/** Areas of the target that the task owns, and their largest number of columns. */
type Owned = { areas: Area[]; owned_columns: number }

/** State of the task before the run: what it stores about its target tab, and the snapshot of its last successful run. */
type Known = { binding: Binding; last: StoredSnapshot | null }

/** The source's rows, and the target that they are compared with. */
export type ReadTables = Omit<TablePair<SourceInfo>, 'target'> &
  Owned &
  Known & {
    target: ReadableTarget
    copy: SourceCopy
    /** The plan whose rows are copied; null: the source's rows. */
    plan: StoredPlan | null
    /** What the plan of a preview will restore; null: its rows are those of the source. */
    restores: Restores | null
    /** The target's rows if they were stored before the comparison; null: they were not. */
    held: StoredSnapshot | null
    /** Requested rows of the target; null: none were requested. */
    prefetch: Pick<TargetPrefetch, 'take'> | null
    /** The rows of the source and the target that were matched; null: the source's rows replace the target's. */
    matched: Matched | null
    /** The cells that a version may change where rows are matched; null: all of the table, or no version is restored. */
    restored: Pick<Matched, 'written' | 'end'> | null
    /** The target's rows before a plan of matched rows is written; null: there is no such plan. */
    before_plan: TargetRows | null
    /** Stops reads and staging in progress. */
    close: () => Promise<void>
  }

/** What the task wrote, and will have written when this run has; null: its rows are not matched, or it restores a version. */
export const rememberedRows = ({
  matched,
  plan,
}: Pick<ReadTables, 'matched' | 'plan'>): Matched['remembered'] | null =>
  matched?.remembered ?? plan?.remembered ?? null

/** The same with a target that the run may write. */
export type Tables = ReadTables & { target: WritableTarget }

/**
 * Opens source and target for a run and reads the source, or reopens the copy of it that an earlier worker of this run stored. The rows
 * of a run that writes a plan are those of the plan.
 */
export async function readTables(attempt: CopyAttempt): Promise<Tables> {
  const { context, definition, keeper } = attempt
  const known = await readKnown(attempt)
  const stored = await snapshotOf(context.db, keeper.value.snapshot_id)
  if (definition.plan !== null) {
    const plan = await requirePlan(context.db, attempt.tab?.plan ?? definition.plan)
    const { target, ...pair } = await openPlanned(attempt, known)
    if (stored)
      return storedTables(
        attempt,
        { ...pair, ...known, ...SOURCE, target: await target.resume(), plan },
        stored,
      )
    const rows = await requireRows(context.db, plan.wanted_snapshot_id)
    const tables = { ...pair, ...known, ...SOURCE, target: await target.begin(), plan }
    await keeper.save({ snapshot_id: rows.id })
    return storedTables(attempt, tables, rows)
  }
  if (attempt.tab?.rows)
    return readTab(attempt, { ...attempt.tab, rows: attempt.tab.rows }, { known, stored })
  const { target, ...pair } = await openTables(attempt, known)
  if (stored) {
    // Rows are matched with the target's present ones, so that rows staged by an earlier worker may be others.
    const resumed = await (isArranged(definition) ? target.begin() : target.resume())
    return storedTables(attempt, { ...pair, ...known, ...SOURCE, target: resumed }, stored)
  }
  const tables = { ...pair, ...known, ...SOURCE, target: await target.begin() }
  const owned = await lockTarget(attempt, tables)
  return arranged(attempt, { ...tables, ...owned, ...(await readNewCopy(attempt, { ...tables, ...owned })) })
}

type Tab = { title: string; rows: StoredSnapshot }

/** Opens a tab of a split task, whose rows were read before. */
async function readTab(
  attempt: CopyAttempt,
  { title, rows }: Tab,
  { known, stored }: { known: Known; stored: StoredSnapshot | null },
): Promise<Tables> {
  const { target, source, accountsUsed } = await openPlanned(attempt, known)
  const pair = { source: { ...source, title }, accountsUsed, ...known, ...SOURCE }
  if (stored) return storedTables(attempt, { ...pair, target: await target.resume() }, stored)
  const tables = { ...pair, target: await target.begin() }
  await attempt.keeper.save({ snapshot_id: rows.id })
  return storedTables(attempt, tables, rows)
}

/** Of a run whose rows are those of the source. */
const SOURCE = { plan: null, restores: null, held: null, matched: null, restored: null, before_plan: null }

/** The tables of a run whose rows are stored already. */
async function storedTables(
  attempt: CopyAttempt,
  tables: Opened & Pick<Tables, 'target' | 'plan' | Exclude<keyof typeof SOURCE, 'plan'>>,
  rows: StoredSnapshot,
): Promise<Tables> {
  const owned = await lockTarget(attempt, tables)
  const copy = await reopenCopy(attempt.context, rows)
  const opened = { ...tables, ...owned, copy, prefetch: null, close: async () => {} }
  const { plan } = tables
  if (!plan) return arranged(attempt, opened)
  if (!isArranged(attempt.definition)) return opened
  return {
    ...opened,
    owned_columns: copy.columns,
    ...(plan.written && (await rowsBefore(attempt, opened, plan))),
  }
}

/**
 * The target's rows before a plan is written, which are also compared with it, or those before an earlier worker wrote it. Throws RunFailure
 * if these are gone.
 */
async function rowsBefore(
  { context: { db }, keeper }: CopyAttempt,
  { target }: Pick<Tables, 'target'>,
  { former_snapshot_id }: StoredPlan,
): Promise<Pick<Tables, 'before_plan' | 'prefetch'>> {
  if (keeper.value.commit !== null) {
    const former = await requireRows(db, former_snapshot_id)
    return { before_plan: await TargetRows.stored(db, former), prefetch: null }
  }
  const rows = await TargetRows.read(target)
  return { before_plan: rows, prefetch: rows }
}

/** The tables with the rows that the target is to hold, where these depend on the rows that it holds. */
async function arranged<Opened extends ReadTables>(attempt: CopyAttempt, tables: Opened): Promise<Opened> {
  if (!isArranged(attempt.definition)) return tables
  const { row_commit } = attempt.keeper.value
  const commit = row_commit && (await readCommit(attempt.context.db, row_commit))
  const restore = commit ? (now: TargetRows) => restoreRows(commit, now) : nothingToRestore
  const arranged = await arrangeTables(attempt, tables, restore, commit)
  // Columns that the task has left may hold cells of other editors.
  return { ...tables, ...arranged, owned_columns: arranged.copy.columns }
}

/** Opens source and target for a preview and reads the source. Sends no request that changes anything, and locks nothing. */
export async function readForPreview(attempt: CopyAttempt): Promise<ReadTables> {
  const known = await readKnown(attempt)
  if (attempt.definition.version !== null) return readForRestore(attempt, known, attempt.definition.version)
  if (attempt.tab?.rows) return readTabForPreview(attempt, { ...attempt.tab, rows: attempt.tab.rows }, known)
  const { source, target, accountsUsed } = await openTables(attempt, known)
  const tables = { source, target, accountsUsed, ...known, ...SOURCE }
  refuseSameTab(attempt.definition, tables)
  const owned = await checkTables(attempt, tables)
  return arranged(attempt, { ...tables, ...owned, ...(await readNewCopy(attempt, { ...tables, ...owned })) })
}

/** Opens a tab of a split task for a preview. */
async function readTabForPreview(
  attempt: CopyAttempt,
  { title, rows }: Tab,
  known: Known,
): Promise<ReadTables> {
  const { source, ...pair } = await openPlanned(attempt, known)
  const tables = { ...pair, source: { ...source, title }, ...known, ...SOURCE }
  const owned = await checkTables(attempt, tables)
  const copy = await reopenCopy(attempt.context, rows)
  return { ...tables, ...owned, copy, prefetch: null, close: async () => {} }
}

/** Opens the target for a preview that restores a version. */
async function readForRestore(
  attempt: CopyAttempt,
  known: Known,
  version: NonNullable<Definition['version']>,
): Promise<ReadTables> {
  const { keeper } = attempt
  const tables = { ...(await openPlanned(attempt, known)), ...known, ...SOURCE }
  const owned = await checkTables(attempt, tables)
  const rows = await readVersionRows(attempt, version, { ...tables, ...owned })
  await keeper.save({ snapshot_id: rows.copy.snapshot_id })
  const owned_columns = rows.restored ? rows.copy.columns : owned.owned_columns
  return { ...tables, ...owned, ...rows, owned_columns, close: async () => {} }
}

async function readKnown(attempt: CopyAttempt): Promise<Known> {
  const { context, definition } = attempt
  return {
    last: await snapshotOf(context.db, definition.snapshot_id),
    binding: await readBinding(attempt),
  }
}

const snapshotOf = async (db: Db, id: number | null) => (id === null ? null : readSnapshot(db, id))

type Opened = Pick<ReadTables, 'source' | 'target' | 'accountsUsed'> & Known

/** Assigns the tab to the task and locks it for this run. Returns the areas that the task owns in it. */
async function lockTarget(attempt: CopyAttempt, tables: Opened): Promise<Owned> {
  const { context, definition } = attempt
  const { target_ss_id: spreadsheet_id } = definition
  const identity = tables.target.identity()
  refuseSameTab(definition, tables)
  if (identity.tab_id !== tables.binding.target_place)
    await recordTargetTab(attempt, spreadsheet_id, identity)
  // The run of a split task holds the key of the whole spreadsheet.
  if (attempt.tab === null) await context.lockKey(targetKey(spreadsheet_id, identity.tab_id))
  return checkTables(attempt, tables)
}

/** Logs which tables are compared, with their warnings. Returns the areas of the target that the task owns. */
async function checkTables(
  { context, definition }: CopyAttempt,
  { source, target, accountsUsed, binding, last }: Opened,
): Promise<Owned> {
  for (const message of [...source.warnings, ...target.warnings])
    await context.warn({ kind: 'tab', subject: message, message })
  const verb = definition.preview ? 'Comparing' : 'Copying'
  await context.log('INFO', `${verb} ${source.title} to ${target.title} as ${accountsUsed()}.`)
  const areas = ownedAreas(target, binding, { start_row: definition.start_row, last })
  return { areas, owned_columns: Math.max(0, ...areas.map(({ columns }) => columns)) }
}

function refuseSameTab(definition: Definition, { source, target }: Pick<ReadTables, 'source' | 'target'>) {
  const { tab_id } = target.identity()
  const isTarget = definition.further_sources.some(
    (one, place) => source.further[place]?.tab_id === tab_id && isSameSpreadsheet({ ...definition, ...one }),
  )
  if (isTarget || (source.identity?.tab_id === tab_id && isSameSpreadsheet(definition)))
    throw new RunFailure(`${source.title} cannot be copied onto itself.`, { retryable: false })
}

/** A target that may stage rows, or one that is only read. */
type NewTarget = ReadableTarget & Partial<Pick<FreshTarget, 'prestage'>>

/** Reads the source. Meanwhile requests the rows of the target, or stages rows if the target is empty. */
async function readNewCopy(
  { settings, context, definition, keeper }: CopyAttempt,
  {
    source,
    target,
    owned_columns,
    last,
  }: Pick<ReadTables, 'last' | 'owned_columns'> & { source: CopySource; target: NewTarget },
): Promise<Pick<ReadTables, 'copy' | 'prefetch' | 'close'>> {
  // Rows that are matched are read and written when all of the source is known.
  const isDirect = !isArranged(definition)
  const prefetch =
    isDirect && owned_columns > 0 && !target.isRead ? new TargetPrefetch(target, owned_columns) : null
  const streamed = isDirect && source.extent ? new StreamedRows(extentOf(source.extent, definition)) : null
  const prestage = (streamed && target.prestage?.(streamed)) ?? null
  const close = async () => {
    prefetch?.close()
    await prestage?.end()
  }
  try {
    const { copy, report } = await readSource({
      context,
      pool: settings.pool,
      source,
      onRequested: () => prefetch?.begin(),
      streamed: prestage && streamed,
      discard: async () => prestage?.discard(),
      arrangement: definition,
      originAt: originsOf(
        definition,
        source,
        timeCell(new Date(keeper.value.started_at), settings.zone ?? 'UTC'),
      ),
      lastRows: new LastRows(context.db, last),
      last: await timedVersion(context.db, last, definition.extra_columns),
      cell_characters: target.cell_characters,
    })
    await logReadSummary(context, { source, target }, copy, report)
    const { format_sample_rows } = report
    await keeper.save({ snapshot_id: copy.snapshot_id, format_sample_rows })
    return { copy, prefetch, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The largest size of the copy of a source. */
const extentOf = ({ rows, columns }: TableSize, { extra_columns }: Pick<Definition, 'extra_columns'>) => ({
  rows,
  columns: columns + extra_columns.length,
})
