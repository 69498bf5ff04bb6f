import type { Pool } from 'pg'
import type { Row } from '../../../contract/tables.ts'
import type { Change, Target, Way } from '../../connectors/connector.ts'
import type { Sources, Targets } from '../../connectors/registry.ts'
import { type RunContext, RunFailure, type RunResult } from '../../engine/types.ts'
import { readSnapshot, type StoredSnapshot } from '../../snapshots/snapshot.ts'
import type { CredentialProvider } from '../source-context.ts'
import type { CheckpointKeeper } from './checkpoint-keeper.ts'
import { BeforeImage } from './compare/before-image.ts'
import { changeTo } from './compare/change.ts'
import { compare, type Difference } from './compare/compare.ts'
import { refusalOf } from './compare/rules.ts'
import { type Definition, isSameSpreadsheet, targetKey } from './definition.ts'
import { type Endpoints, openEndpoints, targetOf } from './endpoints.ts'
import { checkOwnership } from './ownership/check-ownership.ts'
import { formerRows, recordArea } from './ownership/owned-areas.ts'
import { type Binding, readBinding, recordTargetTab } from './ownership/tab-identity.ts'
import { changedFormats, ownedAreas } from './ownership/target-rules.ts'
import { UnownedCellsFinder } from './ownership/unowned-cells.ts'
import { readSource, reopenCopy, type SourceCopy, writtenRows } from './read/source-copy.ts'
import { StreamedRows } from './read/streamed-rows.ts'
import { TargetPrefetch } from './read/target-prefetch.ts'
import { successMessage } from './result/messages.ts'
import { receiptOf } from './result/receipt.ts'
import { logReadSummary, logWritePlan } from './result/run-log.ts'
import { saveResult } from './result/save-result.ts'
import { verify } from './result/verify.ts'
import { verifyFormats } from './result/verify-formats.ts'

export type CopySettings = {
  google: CredentialProvider
  sources: Sources
  targets: Targets
  pool: Pool
  /** Delays before each repeated read of a target that does not show the written rows yet; milliseconds. */
  stale_waits_ms: number[]
  /** URL where the account owner grants revoked access again. */
  reconnect_url: string
}

/** How to read the target, and which consumers receive its rows. */
type ReadOptions = {
  phase: string
  before?: BeforeImage | null
  finders?: readonly UnownedCellsFinder[]
}
/** The parts of a change other than its rows. */
type Rest = Pick<Change, 'owned_columns' | 'former' | 'formats'> & { isRepair: boolean }

/** Executes one copy on one worker, from the first read to the receipt. */
export class CopyRun {
  readonly #settings: CopySettings
  readonly #context: RunContext
  readonly #definition: Definition
  readonly #keeper: CheckpointKeeper
  #prefetch: TargetPrefetch | null = null
  /** Stops the prestage job that fills the target’s staging tab while the source is read. */
  #endPreparation: (() => Promise<void>) | null = null
  /** Whether the run had written nothing before the commit in progress; read when its tab is gone and the target is opened again. */
  #isUnwritten = false

  constructor(settings: CopySettings, context: RunContext, definition: Definition, keeper: CheckpointKeeper) {
    this.#settings = settings
    this.#context = context
    this.#definition = definition
    this.#keeper = keeper
  }

  /** Throws RunFailure, OriginFailure or the abort reason of the signal. */
  async execute(): Promise<RunResult> {
    try {
      return await this.#copy()
    } finally {
      this.#prefetch?.close()
      this.#prefetch = null
      await this.#endPreparation?.()
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
    const { before_snapshot_id, commit } = this.#keeper.value
    const before =
      before_snapshot_id === null ? new BeforeImage(this.#context, this.#settings.pool, last) : null
    const isFirst = binding.owned_rows === 0 || areas.length === 0
    // An earlier worker may have committed already: the target then holds its rows or those of the last run.
    const isUnwritten = commit === null || this.#isUnwritten
    const possibleRows = isUnwritten ? [last] : [writtenRows(copy), last]
    const newFinder = () => new UnownedCellsFinder({ areas, start_row, columns: copy.columns })
    const finders = isFirst ? [] : possibleRows.map((former) => ({ former, finder: newFinder() }))
    const difference = await this.#compare(endpoints, copy, owned_columns, {
      phase: 'Comparing',
      before,
      finders: finders.map(({ finder }) => finder),
    })
    const reason = refusalOf(copy, difference, {
      source: endpoints.source.title,
      target: endpoints.target.title,
      start_row: this.#definition.start_row,
    })
    if (reason !== null) throw new RunFailure(reason, { retryable: false })
    const { target } = endpoints
    const owner = { context: this.#context, definition: this.#definition, target }
    await checkOwnership({ ...owner, written: !isUnwritten }, finders)
    const formats = changedFormats(endpoints.target, copy, { binding, last, difference })
    // A commit changes values and formats atomically: a target with the values of an earlier worker also has its formats. Earlier
    // releases wrote in place in several requests, formats last: after such a write, formats may be missing.
    const isEqual = difference.cells_changed === 0
    const committed = isEqual && commit !== null && commit.mode !== 'in_place' && commit.cells_changed > 0
    const former = formerRows(areas, start_row)
    if (committed || (isEqual && formats.length === 0 && former.length === 0))
      return this.#finish(endpoints, copy, difference, former)
    let isPlanLogged = false
    const rest = { owned_columns, formats, former, isRepair: false }
    await this.#apply(target, copy, difference, rest, async (way) => {
      this.#isUnwritten = isUnwritten
      if (isPlanLogged) return
      isPlanLogged = true
      if (before) {
        await this.#context.progress({ phase: 'Storing the target’s former rows' })
        await this.#keeper.save({ before_snapshot_id: await before.complete(difference, copy) })
      }
      if (commit === null)
        await this.#keeper.save({ commit: { mode: way.mode, cells_changed: difference.cells_changed } })
      await logWritePlan(this.#context, target, { way, difference, isFirst })
    })
    this.#isUnwritten = false
    const after = await this.#verify(endpoints, copy, owned_columns, difference.target_header)
    const repair = (missing: Rest['formats']) =>
      this.#apply(target, copy, after, { ...rest, formats: missing, former: [], isRepair: true })
    await verifyFormats({ context: this.#context, target, copy, repair }, formats)
    return this.#finish(endpoints, copy, after, former)
  }

  /** Cleans up after a run that no worker will resume. */
  cleanUp(): Promise<void> {
    const target = targetOf(this.#definition, this.#definition)
    const run = { run_id: this.#context.run.id, accounts: this.#definition }
    return this.#settings.targets.cleanUp(target, run)
  }

  async #open(last: StoredSnapshot | null): Promise<{ endpoints: Endpoints; binding: Binding }> {
    const context = this.#context
    const definition = this.#definition
    const { target_ss_id: spreadsheet_id } = definition
    const binding = await readBinding(context.db, context.run.task_id)
    const beginning = { binding, last, keeper: this.#keeper }
    const endpoints = await openEndpoints(this.#settings, context, this.#definition, beginning)
    const { source, target, accountsUsed } = endpoints
    await target.recover()
    const bound = target.bound()
    if (source.bound?.place === bound.place && isSameSpreadsheet(definition)) {
      throw new RunFailure(`${source.title} cannot be copied onto itself.`, { retryable: false })
    }
    if (bound.place !== binding.target_place) await recordTargetTab(context, spreadsheet_id, bound)
    await context.lockKey(targetKey(spreadsheet_id, bound.place))
    for (const message of [...source.warnings, ...target.warnings])
      await context.warn({ kind: 'tab', subject: message, message })
    await context.log('INFO', `Copying ${source.title} to ${target.title} as ${accountsUsed()}.`)
    return { endpoints, binding }
  }

  async #read(endpoints: Endpoints, owned_columns: number): Promise<SourceCopy> {
    const { source, target } = endpoints
    const { snapshot_id } = this.#keeper.value
    const stored = snapshot_id === null ? null : await reopenCopy(this.#context, snapshot_id)
    if (stored) return stored
    // Staged rows and requests in flight belong to an earlier read of the source.
    await target.discard()
    // Prefetch only after `discard`: from then on, no commit of an earlier worker can change the target.
    this.#prefetch = owned_columns > 0 && !target.isRead ? new TargetPrefetch(target, owned_columns) : null
    const streamed = source.extent ? new StreamedRows(source.extent) : null
    if (streamed && target.prepare) this.#endPreparation = target.prepare(streamed)
    const { copy, report } = await readSource({
      context: this.#context,
      pool: this.#settings.pool,
      source,
      onRequested: () => this.#prefetch?.begin(),
      streamed,
      discard: target.discard,
      excluded_fields: this.#definition.excluded_fields,
      cell_characters: target.cell_characters,
    })
    await logReadSummary(this.#context, { source, target }, copy, report)
    const { format_sample_rows } = report
    await this.#keeper.save({ snapshot_id: copy.snapshot_id, format_sample_rows })
    return copy
  }

  async #compare(
    { target }: Endpoints,
    copy: SourceCopy,
    owned_columns: number,
    { phase, before = null, finders = [] }: ReadOptions,
  ): Promise<Difference> {
    try {
      const [context, prefetch] = [this.#context, this.#prefetch]
      return await compare({ context, copy, target, owned_columns, prefetch, phase, before, finders })
    } catch (error) {
      await before?.abandon()
      throw error
    }
  }

  /** `before`: called with the write plan before the first write, and again when the target changes the plan. */
  async #apply(
    target: Target,
    copy: SourceCopy,
    difference: Difference,
    rest: Rest,
    before: (way: Way) => Promise<void> = async () => {},
  ): Promise<void> {
    const context = this.#context
    const { columns, header } = copy
    const { start_row } = this.#definition
    const change = changeTo(context, copy, difference, rest)
    const { warning } = await target.apply(change, async (way) => {
      await before(way)
      await recordArea(context, { start_row, columns, header })
    })
    if (warning !== null) await context.warn({ kind: 'resized', subject: target.title, message: warning })
  }

  /** `former`: the header row before the commit, which the target may still show. */
  #verify(endpoints: Endpoints, copy: SourceCopy, owned_columns: number, former: Row): Promise<Difference> {
    const columns = Math.max(owned_columns, copy.columns)
    const { target } = endpoints
    const context = this.#context
    const definition = this.#definition
    const { start_row } = definition
    const area = { start_row, columns: copy.columns }
    const areas = [copy.header, former].map((header) => ({ ...area, header }))
    const newFinder = () => new UnownedCellsFinder({ areas, start_row, columns: copy.columns })
    let finder = newFinder()
    return verify({
      context,
      target,
      stale_waits_ms: this.#settings.stale_waits_ms,
      readAndCompare: () => {
        finder = newFinder()
        return this.#compare(endpoints, copy, columns, { phase: 'Verifying', finders: [finder] })
      },
      repair: async (difference) => {
        // If another editor moved columns during the commit, a repair could overwrite unowned cells that the commit did not reach.
        const owner = { context, definition, target, written: true }
        await checkOwnership(owner, [{ finder, former: writtenRows(copy) }])
        const rest = { owned_columns, formats: [], former: [], isRepair: true }
        await this.#apply(target, copy, difference, rest)
      },
    })
  }

  async #finish(
    endpoints: Endpoints,
    copy: SourceCopy,
    verified: Difference,
    former: Rest['former'],
  ): Promise<RunResult> {
    const { source, target, accountsUsed } = endpoints
    const { task_id } = this.#context.run
    await target.cleanUp()
    const { before_snapshot_id } = this.#keeper.value
    const { target_hash } = verified
    const receipt = receiptOf(this.#keeper, copy, { target_hash, account: accountsUsed() })
    return {
      message: successMessage(receipt, former),
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
