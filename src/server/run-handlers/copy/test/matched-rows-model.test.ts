import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { databasePerTest } from '../../../../../test/fixtures/database.ts'
import { aRun, aSyncTask } from '../../../../../test/fixtures/factories.ts'
import {
  editGrid,
  HEADER,
  keyedRound,
  type Round,
  SourceRows,
} from '../../../../../test/fixtures/model-sequences.ts'
import { endTrimmed, type Grid, Model, trimmed } from '../../../../../test/fixtures/write-model.ts'
import { wholeTable } from '../../../../contract/rows/row-settings.ts'
import { replacedTable } from '../../../../contract/rows/write-settings.ts'
import type { ReadableTarget, Source, SourceRead } from '../../../connectors/connector.ts'
import { parseRow } from '../../../connectors/row-json.ts'
import type { RunContext } from '../../../engine/types.ts'
import { createPool } from '../../../platform/db.ts'
import { snapshotTexts } from '../../../snapshots/snapshot.ts'
import { arrangeTables } from '../arrange/arrange-tables.ts'
import { saveWrittenRows } from '../arrange/written-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Definition } from '../definition.ts'
import type { Binding } from '../ownership/binding.ts'
import type { SourceInfo } from '../read/open-tables.ts'
import { readSource } from '../read/source-copy.ts'

const database = databasePerTest()

const SEQUENCES = Number(process.env.MODEL_RUNS ?? 100)
const LANES = 8
const ROUNDS = 4

const binding: Binding = {
  target_place: null,
  owned_columns: 0,
  owned_rows: 0,
  owned_start_row: null,
  intended: [],
}

const rowsOf = (grid: readonly (readonly unknown[])[]) => ({
  batches: (async function* () {
    yield endTrimmed(grid.map(trimmed)).map((row) => Buffer.from(JSON.stringify(row)))
  })(),
  requests: 1,
})

/** A cell without its formula. */
const constantOf = (cell: unknown): Cell =>
  typeof cell === 'number' || (typeof cell === 'string' && cell !== '' && !cell.startsWith('=')) ? cell : null

/** A run without Google: the wanted rows are stored, and put where a commit would write them. */
async function runOn(attempt: CopyAttempt, grid: Grid, rows: readonly Cell[][]): Promise<Grid> {
  const { context, settings } = attempt
  const source = {
    title: 'Products',
    read: () =>
      rowsOf([
        HEADER,
        ...rows.map((row) => row.map((cell) => cell ?? '')),
      ]) as Partial<SourceRead> as SourceRead,
    formats: async () => ({ columns: [], sample_rows: null }),
  } as Partial<Source & SourceInfo> as Source & SourceInfo
  const target = {
    title: 'Shop',
    read: () => rowsOf(grid),
    formulas: async (cells) => cells,
    readBeside: async function* () {
      for (const [row, cells] of grid.entries()) yield { row, cells: cells.map((cell) => constantOf(cell)) }
    },
  } as Partial<ReadableTarget> as ReadableTarget
  const { copy } = await readSource({
    ...{ context, pool: settings.pool, source, streamed: null, last: null, cell_characters: 50_000 },
    arrangement: { ...wholeTable, excluded_fields: [] },
    originAt: () => ({ name: '', header_row: 1, time: null }),
    onRequested: () => {},
    discard: async () => {},
  })
  const { copy: wanted, matched } = await arrangeTables(attempt, {
    copy,
    target,
    source,
    binding,
    last: null,
    areas: [],
  })
  await context.transaction((trx) => saveWrittenRows(trx, context.run.task_id, matched.remembered.pending))
  const stored: Grid = [wanted.header]
  for await (const texts of snapshotTexts(context.db, wanted.snapshot_id, 1, wanted.fingerprint.rows))
    for (const text of texts) stored.push(parseRow(text))
  return Array.from({ length: Math.max(stored.length, grid.length) }, (_, row) => [
    ...wanted.header.map((_, column) => stored[row]?.[column] ?? ''),
    ...(grid[row] ?? []).slice(wanted.header.length),
  ])
}

async function sequence(attempt: CopyAttempt, model: Model, rounds: readonly Round[], why: string) {
  const source = new SourceRows(5)
  let grid: Grid = []
  for (const { source: changes, target: edits } of [{ source: [], target: [] }, ...rounds]) {
    for (const change of changes) source.apply(change)
    for (const edit of edits.filter(model.allows)) grid = editGrid(edit, grid)
    const before = endTrimmed(grid.map(trimmed))
    const wanted = model.run(before, source.rows)
    grid = await runOn(attempt, before, source.rows)
    const said = `${why} ${JSON.stringify({ before, source: source.rows, edits })}`
    expect(endTrimmed(grid.map(trimmed)), said).toEqual(endTrimmed(wanted))
  }
  expect(endTrimmed((await runOn(attempt, grid, source.rows)).map(trimmed)), why).toEqual(
    endTrimmed(grid.map(trimmed)),
  )
}

test.each(['update', 'append', 'append without a key'])(
  `in ${SEQUENCES} random sequences of edits in memory, %s finds every row, and moves no cell of another editor against its row`,
  {
    timeout: 60_000 + SEQUENCES * 2_000,
  },
  async (mode) => {
    const { db, url } = database
    const pool = createPool({ url })
    onTestFinished(() => pool.end())
    const seed = Number(process.env.MODEL_SEED ?? fc.sample(fc.integer(), 1)[0])
    const rounds = fc.array(keyedRound, { minLength: 1, maxLength: ROUNDS })
    const sequences = fc.sample(rounds, { seed, numRuns: SEQUENCES }).map((sampled, n) => ({ sampled, n }))
    const lane = async () => {
      for (let next = sequences.pop(); next; next = sequences.pop()) {
        const { id: task_id } = await aSyncTask(db)
        const { id } = await aRun(db, task_id)
        const context = {
          run: { id, task_id, definition: {}, checkpoint: null },
          db,
          progress: async () => {},
          assertLease: async () => {},
          warn: async () => {},
          log: async () => {},
          transaction: (work) => db.transaction().execute(work),
        } as Partial<RunContext> as RunContext
        const model = new Model(mode, next.n)
        const definition = {
          ...{ ...wholeTable, ...replacedTable, ...model.settings, on_bad_keys: 'skip' },
          key_columns: JSON.parse(model.settings.key_columns),
          ...{ excluded_fields: [], start_row: 1, preview: false },
        } as Partial<Definition> as Definition
        const keeper = { value: { started_at: Date.now() } } as CopyAttempt['keeper']
        const settings = { pool } as Partial<CopyAttempt['settings']> as CopyAttempt['settings']
        const attempt = { context, definition, keeper, settings, tab: null }
        await sequence(attempt, model, next.sampled, `${mode}, seed ${seed}, sequence ${next.n}`)
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  },
)
