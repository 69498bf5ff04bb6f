import type { Pool } from 'pg'
import type { CopyReceipt } from '../../../contract/receipts.ts'
import { OriginFailure } from '../../connectors/connector.ts'
import type { Google } from '../../connectors/google-sheets/google.ts'
import type { Sources } from '../../connectors/registry.ts'
import { type RunContext, RunFailure, type RunResult } from '../../engine/types.ts'
import { readSnapshot, type StoredSnapshot } from '../../snapshots/snapshot.ts'
import { announce, warnInPlace } from './announce.ts'
import { BeforeImage } from './before-image.ts'
import { type Binding, bindTarget, columnsWanted, readBinding } from './binding.ts'
import type { CheckpointKeeper } from './checkpoint-keeper.ts'
import { type CommitMode, commitDifference, commitMode, type FormatChange, writeInPlace } from './commit.ts'
import { compare, type Difference } from './comparison.ts'
import { type Definition, targetKey } from './definition.ts'
import { type Endpoints, openEndpoints, SMALL_CELLS } from './endpoints.ts'
import { ForeignCellsFinder } from './foreign-cells.ts'
import { changedAfterInPlace } from './late-writes.ts'
import { type FormerRows, formerRows } from './owned-areas.ts'
import { checkOwnership } from './ownership.ts'
import { ReadAhead } from './read-ahead.ts'
import { describeReading, refusalOf } from './rules.ts'
import { RunTabs } from './run-tabs.ts'
import { saveResult } from './save-result.ts'
import { ending, lateWriteWarning } from './sentences.ts'
import { readSource, reopenCopy, type SourceCopy } from './source-copy.ts'
import { changedFormats, isTooLarge, ownedAreas } from './target-rules.ts'
import { verify } from './verify.ts'

/** Changed cells in one commit. Google refuses bodies of 10 MB. */
const COMMIT_BYTES = 8_000_000

export type CopySettings = {
  google: Google
  sources: Sources
  pool: Pool
  /** Pauses before the target is read once more when it does not show what was written; milliseconds. */
  stale_waits_ms: number[]
  /** Where a person gives access again that was revoked. */
  reconnect_url: string
  /** Bytes of changed cells that one commit carries at most; default 8,000,000. More is staged in a hidden tab first. */
  commit_bytes?: number
}

/** What a reading of the target is for, and who else looks at its rows. */
type Look = { phase: string; before?: BeforeImage | null; foreign?: ForeignCellsFinder | null }
type Way = { difference: Difference; mode: CommitMode; formats: FormatChange[]; former: FormerRows[] }

/** One copy from reading to receipt, as one worker carries it out. */
export class CopyRun {
  readonly #settings: CopySettings
  readonly #context: RunContext
  readonly #definition: Definition
  readonly #keeper: CheckpointKeeper
  readonly #tabs: RunTabs
  #ahead: ReadAhead | null = null

  constructor(settings: CopySettings, context: RunContext, definition: Definition, keeper: CheckpointKeeper) {
    this.#settings = settings
    this.#context = context
    this.#definition = definition
    this.#keeper = keeper
    this.#tabs = new RunTabs({ context, google: settings.google, definition, keeper })
  }

  /** Throws RunFailure, OriginFailure or the reason of the signal. */
  async execute(): Promise<RunResult> {
    try {
      return await this.#copy()
    } finally {
      this.#ahead?.close()
      this.#ahead = null
    }
  }

  async #copy(): Promise<RunResult> {
    const { snapshot_id: last_id } = this.#definition
    const last = last_id === null ? null : await readSnapshot(this.#context.db, last_id)
    const { endpoints, binding } = await this.#open(last)
    const { start_row } = this.#definition
    const areas = ownedAreas(endpoints.target, binding, { start_row, last })
    const owned_columns = Math.max(0, ...areas.map(({ columns }) => columns))
    const copy = await this.#read(endpoints, owned_columns)
    const { before_snapshot_id, commit, fence } = this.#keeper.value
    const before =
      before_snapshot_id === null ? new BeforeImage(this.#context, this.#settings.pool, last) : null
    const isFirst = binding.owned_rows === 0 || areas.length === 0
    const foreign = isFirst ? null : new ForeignCellsFinder({ areas, start_row, columns: copy.columns })
    const difference = await this.#compare(endpoints, copy, owned_columns, {
      phase: 'Comparing',
      before,
      foreign,
    })
    const reason = refusalOf(copy, difference, {
      source: endpoints.source.title,
      target: endpoints.target.title,
      start_row: this.#definition.start_row,
    })
    if (reason !== null) throw new RunFailure(reason, { retryable: false })
    const { target } = endpoints
    if (foreign)
      await checkOwnership({ context: this.#context, definition: this.#definition, target, last }, foreign)
    if (commit === null && (await changedAfterInPlace(this.#context, copy, difference)))
      await this.#context.log('WARNING', lateWriteWarning(endpoints.target.title))
    const formats = changedFormats(endpoints.target, copy, { binding, last })
    // Values and formats change together: a target that got the values from an earlier worker has the formats too.
    const isEqual = difference.cells_changed === 0
    const committed = isEqual && commit !== null && commit.mode !== 'in_place' && commit.cells_changed > 0
    const former = formerRows(areas, start_row)
    if (committed || (isEqual && formats.length === 0 && former.length === 0)) {
      return this.#finish(endpoints, copy, difference)
    }
    // A hidden copy of the table needs room beside the other tabs, which may not have been asked for yet.
    if (target.isRead && !difference.cells) await target.refresh()
    const mode = commitMode(target, copy, difference, fence)
    if (before) {
      await this.#context.progress({ phase: 'Storing the target’s former rows' })
      await this.#keeper.save({ before_snapshot_id: await before.complete(difference, copy) })
    }
    if (commit === null)
      await this.#keeper.save({ commit: { mode, cells_changed: difference.cells_changed } })
    await announce(this.#context, target, { mode, difference, isFirst })
    await this.#commit(endpoints, copy, owned_columns, { difference, mode, formats, former })
    return this.#finish(endpoints, copy, await this.#verify(endpoints, copy, owned_columns))
  }

  /** For the end of a run that does not go on. */
  cleanUp(): Promise<void> {
    return this.#tabs.cleanUp()
  }

  async #open(last: StoredSnapshot | null): Promise<{ endpoints: Endpoints; binding: Binding }> {
    const context = this.#context
    const { target_ss_id: spreadsheet_id, source_ss_id } = this.#definition
    const { value, made } = this.#keeper
    const binding = await readBinding(context.db, context.run.task_id)
    const isSmall = last === null || last.row_count * last.header.length <= SMALL_CELLS
    const wants = {
      source: isSmall && value.snapshot_id === null,
      target: isSmall && (await this.#tabs.areNone()) ? { columns: columnsWanted(binding) } : null,
    }
    const beginning = { new_sheet_id: value.new_sheet_id, made, binding, wants }
    const endpoints = await openEndpoints(this.#settings, context, this.#definition, beginning)
    await this.#tabs.removeLeftOvers(endpoints)
    const { source, target, session } = endpoints
    const bound = target.bound()
    if (source_ss_id === spreadsheet_id && source.bound?.sheet_id === bound.sheet_id) {
      throw new RunFailure(`${source.title} cannot be copied onto itself.`, { retryable: false })
    }
    if (bound.sheet_id !== binding.target_sheet_id) await bindTarget(context, spreadsheet_id, bound)
    await context.lockKey(targetKey(spreadsheet_id, bound.sheet_id))
    for (const message of [...source.warnings, ...target.warnings])
      await context.warn({ kind: 'tab', subject: message, message })
    await context.log('INFO', `Copying ${source.title} to ${target.title} as ${session.used.join(', ')}.`)
    return { endpoints, binding }
  }

  async #read(endpoints: Endpoints, owned_columns: number): Promise<SourceCopy> {
    const { source, target } = endpoints
    const { snapshot_id } = this.#keeper.value
    const stored = snapshot_id === null ? null : await reopenCopy(this.#context, snapshot_id)
    if (stored) return stored
    // Whatever is staged or on its way is of another reading.
    await this.#tabs.removeFence(endpoints)
    // Only now: no commit of an earlier worker can change the target any more.
    this.#ahead = owned_columns > 0 && !target.isRead ? new ReadAhead(target, owned_columns) : null
    const { copy, report } = await readSource({
      context: this.#context,
      pool: this.#settings.pool,
      source,
      excluded_fields: this.#definition.excluded_fields,
      keep_texts: owned_columns > 0,
    })
    const { info, warnings, error } = describeReading(source.title, copy, report, target.address)
    for (const message of info) await this.#context.log('INFO', message)
    if (error !== null) throw new RunFailure(error, { retryable: false })
    for (const warning of warnings) await this.#context.warn(warning)
    await this.#keeper.save({ snapshot_id: copy.snapshot_id })
    return copy
  }

  async #compare(
    { target }: Endpoints,
    copy: SourceCopy,
    owned_columns: number,
    { phase, before = null, foreign = null }: Look,
  ): Promise<Difference> {
    try {
      const { commit_bytes = COMMIT_BYTES } = this.#settings
      const context = this.#context
      const ahead = this.#ahead
      return await compare({
        context,
        copy,
        target,
        owned_columns,
        ahead,
        phase,
        before,
        foreign,
        commit_bytes,
      })
    } catch (error) {
      await before?.abandon()
      throw error
    }
  }

  async #commit(endpoints: Endpoints, copy: SourceCopy, owned_columns: number, way: Way): Promise<void> {
    const { target } = endpoints
    const { difference, mode, formats, former } = way
    const { target_ss_id, chunk_size, start_row } = this.#definition
    const save = this.#keeper.save.bind(this.#keeper)
    const context = this.#context
    const deps = { context, target, save, target_ss_id, copy, chunk_size, owned_columns, start_row, former }
    const { fence } = this.#keeper.value
    try {
      if (mode !== 'in_place') return await commitDifference(deps, difference, { mode, formats, fence })
      // What is written without a fence must not be followed by a commit that is still on its way under one.
      await this.#tabs.removeFence(endpoints)
      await writeInPlace(deps, difference, formats)
    } catch (error) {
      if (error instanceof OriginFailure && error.kind === 'too_large')
        return this.#commitWithoutRoom(endpoints, copy, owned_columns, { ...way, failure: error })
      if (!isTooLarge(error) || !difference.cells) throw error
      await this.#context.log('INFO', `${error.message} The whole table is written instead.`)
      const whole = { ...difference, cells: null }
      const staged = commitMode(target, copy, whole, this.#keeper.value.fence)
      await this.#commit(endpoints, copy, owned_columns, { ...way, difference: whole, mode: staged })
    }
  }

  /** Google has no room for it: other tabs, which were not asked for before, fill the spreadsheet. */
  async #commitWithoutRoom(
    endpoints: Endpoints,
    copy: SourceCopy,
    owned_columns: number,
    { failure, ...way }: Way & { failure: OriginFailure },
  ): Promise<void> {
    const { target } = endpoints
    await target.refresh()
    const { fence, commit } = this.#keeper.value
    const mode = commitMode(target, copy, way.difference, fence)
    if (mode === way.mode) throw failure
    if (commit) await this.#keeper.save({ commit: { ...commit, mode } })
    await warnInPlace(this.#context, target)
    await this.#commit(endpoints, copy, owned_columns, { ...way, mode })
  }

  #verify(endpoints: Endpoints, copy: SourceCopy, owned_columns: number): Promise<Difference> {
    const columns = Math.max(owned_columns, copy.columns)
    const { target } = endpoints
    return verify({
      context: this.#context,
      target,
      stale_waits_ms: this.#settings.stale_waits_ms,
      look: () => this.#compare(endpoints, copy, columns, { phase: 'Verifying' }),
      repair: async (difference) => {
        await target.refresh()
        const mode = commitMode(target, copy, difference, this.#keeper.value.fence)
        await this.#commit(endpoints, copy, owned_columns, { difference, mode, formats: [], former: [] })
      },
    })
  }

  async #finish(endpoints: Endpoints, copy: SourceCopy, held: Difference): Promise<RunResult> {
    const { source, target, session } = endpoints
    const { task_id } = this.#context.run
    await this.#tabs.removeOwn(endpoints)
    const { commit, started_at, before_snapshot_id } = this.#keeper.value
    const { read, write } = this.#keeper.requests
    const receipt: CopyReceipt = {
      rows: copy.fingerprint.rows - 1,
      columns: copy.columns,
      cells_changed: commit?.cells_changed ?? 0,
      reads: read,
      writes: write,
      mode: commit?.mode ?? 'unchanged',
      source_hash: copy.hash,
      target_hash: held.target_hash,
      duration_ms: Math.max(0, Date.now() - started_at),
      account: session.used.join(', '),
    }
    return {
      message: ending(receipt),
      receipt,
      commit: async (trx) => {
        await saveResult(trx, {
          task_id,
          snapshot_id: copy.snapshot_id,
          before_snapshot_id,
          source: source.bound,
          target: target.bound(),
          owned_columns: copy.columns,
          owned_rows: copy.fingerprint.rows,
          owned_start_row: this.#definition.start_row,
        })
      },
    }
  }
}
