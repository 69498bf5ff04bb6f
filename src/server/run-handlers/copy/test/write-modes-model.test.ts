import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { type CopyWorld, copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { COMMIT } from '../../../../../test/fixtures/edited-copies.ts'
import {
  editRequest,
  HEADER,
  keyedRound,
  type Round,
  round,
  SourceRows,
} from '../../../../../test/fixtures/model-sequences.ts'
import { endTrimmed, type Grid, Model, trimmed } from '../../../../../test/fixtures/write-model.ts'

const direct = copyWorld({ proxied: true })
/** Its changes are staged, because they do not fit into one request. */
const staged = copyWorld({ proxied: true, commit_bytes: 400, requestBytes: 400 })

const SEQUENCES = Number(process.env.MODEL_RUNS ?? 15)
const LANES = 6
const ROUNDS = 4

const cellOf = (grid: Grid, row: number, column: number) => grid[row]?.[column] ?? ''
const own = (grid: Grid) => grid.map((row) => trimmed(row.slice(0, HEADER.length)))
const others = (grid: Grid) =>
  grid.flatMap((cells, row) =>
    cells.flatMap((cell, column) =>
      column >= HEADER.length && cell !== '' ? `${row} ${column} ${cell}` : [],
    ),
  )
/** Whether a note of another editor would stand beside another row, by the SKUs of the rows, which are known under their former name. */
function losesItsRow(before: Grid, { rows, renamed }: SourceRows): boolean {
  const formerly = (sku: Cell): Cell => (renamed.has(sku) ? formerly(renamed.get(sku) ?? null) : sku)
  return before.some((cells, row) => {
    const sku = String(cells[0] ?? '')
    const isNoted = [6, 7, 8, 9, 10, 11].some((column) =>
      String(cellOf(before, row, column)).startsWith('note'),
    )
    const after = rows[row - 1]?.[0] ?? null
    return row > 0 && isNoted && sku !== '' && formerly(after) !== formerly(sku)
  })
}

async function readGrid(world: CopyWorld, spreadsheetId: string): Promise<Grid> {
  const rendering = { range: 'Shop', valueRenderOption: 'FORMULA' }
  const { data } = await world.api.spreadsheets.values.get({ spreadsheetId, ...rendering })
  return data.values ?? []
}

async function replaceSequence(rounds: readonly Round[], n: number, why: string): Promise<void> {
  const world = n % 3 === 0 ? staged : direct
  const source = new SourceRows(5)
  const { source: from, target, task } = await world.pair([HEADER, ...source.rows])
  const read = () => readGrid(world, target)
  expect((await world.run(task)).state, why).toBe('success')
  let isRenamed = false
  for (const { source: changes, target: edits, once } of rounds) {
    for (const change of changes) source.apply(change)
    isRenamed ||= changes.some(({ kind }) => kind === 'rename')
    await world.clear(from, 'Products')
    await world.write(from, 'Products', [HEADER, ...source.rows])
    const { length } = await read()
    // A deleted row may leave fewer, so that each edit counts the rows anew.
    const requests = edits.map((edit, n) => editRequest(edit, length - n))
    if (requests.length > 0) await world.batch(target, ...requests)
    const before = await read()
    const run = await world.run(task)
    const said = `${run.state} ${run.message} ${why} ${JSON.stringify({ before, wanted: source.rows })}`
    const isHarmful = losesItsRow(before, source)
    if (run.state === 'failed') {
      expect(run.message, said).toContain('beside another row')
      if (!isRenamed) expect(isHarmful, said).toBe(true)
      expect(await read(), said).toEqual(before)
      if (!once) continue
      const plan = await world.db
        .selectFrom('plans')
        .select('id')
        .where('run_id', '=', run.id)
        .executeTakeFirstOrThrow()
      expect((await world.run(task, { plan: plan.id })).state, said).toBe('success')
    } else expect([run.state, isHarmful], said).toEqual(['success', false])
    isRenamed = false
    source.renamed.clear()
    const after = await read()
    expect(endTrimmed(own(after)), said).toEqual([HEADER, ...source.rows].map(trimmed))
    expect(others(after), said).toEqual(others(before))
  }
}

/** Sorted below the table, such a row is prepared for new rows, which are then written beside its formulas. */
const holdsFormulasOnly = (row: unknown[]) => {
  const filled = row.filter((cell) => cell !== '')
  return filled.length > 0 && filled.every((cell) => String(cell).startsWith('='))
}

/** Formulas name the row that they stand in, wherever it is sorted to. */
const withoutRowNumbers = (row: unknown[]) =>
  row.map((cell) => (String(cell).startsWith('=') ? String(cell).replace(/\d+/g, '') : cell))

/** The rows that hold something, in no order: new ones are added in the order in which their runs found them missing. */
const inAnyOrder = (grid: Grid) =>
  grid
    .map(trimmed)
    .filter((row) => row.length > 0)
    .map((row) => JSON.stringify(row))
    .sort()

/**
 * Runs a task, or previews it and writes the plan. Another editor does `late` right before its commit, and sorts the target right before
 * each later commit if `isSortedAgain`; returns what the target held at the first one, or null if nothing was committed.
 */
async function runWith(world: CopyWorld, { task, target, late, isSortedAgain, isPlanned, ends }: Late) {
  const plan = isPlanned ? (await world.preview(task)).plan_id : null
  if (!late) return { run: await world.run(task, { plan }), edited: null }
  let commit = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
  await world.start(task, { plan })
  const ended = world.ended(task)
  const isSent = () => Promise.race([commit.arrived.then(() => true), ended.then(() => false)])
  const sortAgain = async ({ at, to }: { at: number; to: number }) => {
    const grid = await readGrid(world, target)
    if (!isSortedAgain || grid.some(holdsFormulasOnly)) return
    await world.batch(target, editRequest({ kind: 'sort', at: to, to: at }, grid.length))
  }
  const isCommitted = await isSent()
  commit.cancel()
  if (!isCommitted) return { run: await ended, edited: null }
  const { length } = await readGrid(world, target)
  await world.batch(target, editRequest(late, length))
  const edited = await readGrid(world, target)
  for (let left = ends; left > 0; left -= 1) {
    const next = world.proxy.hold({ method: 'GET', path: new RegExp(target) })
    commit.breakOff()
    await commit.deliver()
    await next.arrived
    if (left > 1) commit = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
    await world.changeEngine()
    // The next worker may have nothing to write.
    if (left > 1 && !(await isSent())) break
    if (left > 1) await sortAgain(late)
  }
  commit.cancel()
  if (ends === 0) {
    const repair = world.proxy.hold({
      path: new RegExp(target),
      body: /(updateCells|copyPaste).*deleteSheet/s,
    })
    await commit.deliver()
    const isRepaired = await Promise.race([repair.arrived.then(() => true), ended.then(() => false)])
    repair.cancel()
    if (isRepaired) {
      await sortAgain(late)
      await repair.deliver()
    }
  }
  return { run: await ended, edited }
}

/** Undoes the last change, and undoes that: no cell of others is lost, and none moves against its row. */
async function undoTwice(
  world: CopyWorld,
  { task, target, before, after }: { task: number; target: string; before: Grid; after: Grid },
  said: () => string,
) {
  for (const wanted of [before, after]) {
    const { plan_id, message } = await world.undo(task)
    const run = await world.run(task, { plan: plan_id })
    const now = await readGrid(world, target)
    const undone = () => `${message} ${run.state} ${run.message} ${JSON.stringify({ now })} ${said()}`
    expect(run.state, undone()).toBe('success')
    expect(endTrimmed(now.map(trimmed)), undone()).toEqual(endTrimmed(wanted.map(trimmed)))
  }
}

/** `ends`: workers that end right after their commit, one after the other. */
type Late = {
  task: number
  target: string
  late: Round['late']
  isSortedAgain: boolean
  isPlanned: boolean
  ends: number
}

async function keyedSequence(
  { mode, ends }: Mode,
  rounds: readonly Round[],
  n: number,
  why: string,
): Promise<void> {
  const world = n % 3 === 0 ? staged : direct
  const source = new SourceRows(5)
  const model = new Model(mode, n)
  const settings = { ...model.settings, on_bad_keys: 'skip' as const }
  const { source: from, target, task } = await world.pair([HEADER, ...source.rows], [], settings)
  const first: Round = { source: [], target: [], late: null, once: false }
  for (const [index, { source: changes, target: edits, late }] of [first, ...rounds].entries()) {
    for (const change of changes) source.apply(change)
    await world.clear(from, 'Products')
    await world.write(from, 'Products', [HEADER, ...source.rows])
    const { length } = await readGrid(world, target)
    const requests = edits.filter(model.allows).map((edit, index) => editRequest(edit, length - index))
    if (requests.length > 0) await world.batch(target, ...requests)
    const before = await readGrid(world, target)
    const isPlanned = (n + index) % 2 === 0
    const { run, edited } = await runWith(world, {
      task,
      target,
      late,
      isSortedAgain: n % 3 > 0,
      isPlanned,
      ends: ends ? 1 + (n % 2) : 0,
    })
    const wanted = model.run(edited ?? before, source.rows, edited && late?.kind === 'sort' ? before : null)
    let after = await readGrid(world, target)
    const said = () =>
      `${mode} ${run.state} ${run.message} ${why} ${JSON.stringify({ isPlanned, before, source: source.rows, edits, late, edited, after })}`
    const isOutdated = isPlanned && edited !== null && run.state === 'failed'
    if (isOutdated) {
      expect(run.message, said()).toMatch(/Nothing was written|was moved while the plan was written/)
      expect(after, said()).toEqual(edited)
    } else expect(['success', 'warning'], said()).toContain(run.state)
    // A plan leaves out rows that were cleared meanwhile.
    if (isPlanned && edited) {
      expect(['success', 'warning'], said()).toContain((await world.run(task)).state)
      after = await readGrid(world, target)
    }
    // What a person typed into a row right before a commit cleared it stays: the commit wrote the other cells only.
    const isTyped = (row: unknown[]) =>
      trimmed(row)
        .filter((cell) => cell !== '')
        .join() === `typed ${late?.to}`
    const compared = (grid: Grid) => inAnyOrder(grid.filter((row) => !isTyped(row)).map(withoutRowNumbers))
    if (edited) expect(compared(after), said()).toEqual(compared(wanted))
    else {
      expect(endTrimmed(after.map(trimmed)), said()).toEqual(endTrimmed(wanted))
      if (n % 4 === 0 && run.receipt?.mode !== 'unchanged')
        await undoTwice(world, { task, target, before, after }, said)
    }
  }
  expect((await world.run(task)).receipt?.mode, why).toBe('unchanged')
}

type Mode = { mode: string; ends: boolean; what: string }

const KEYED = ['update', 'append', 'append without a key']
const MODES: Mode[] = [
  ...['replace', ...KEYED].map((mode) => ({ mode, ends: false, what: 'runs' })),
  ...KEYED.map((mode) => ({ mode, ends: true, what: 'takeovers' })),
]

test.each(MODES)(
  `in ${SEQUENCES} random sequences of edits and $what, $mode loses no cell of another editor, and moves none against its row`,
  {
    timeout: 60_000 + SEQUENCES * 40_000,
  },
  async (one) => {
    const { mode, ends } = one
    const seed = Number(process.env.MODEL_SEED ?? fc.sample(fc.integer(), 1)[0])
    const rounds = fc.array(mode === 'replace' ? round : keyedRound, { minLength: 1, maxLength: ROUNDS })
    const sequences = fc.sample(rounds, { seed, numRuns: SEQUENCES }).map((sampled, n) => ({ sampled, n }))
    const lane = async () => {
      for (let next = sequences.pop(); next; next = sequences.pop()) {
        const why = `seed ${seed}, sequence ${next.n}`
        if (mode === 'replace') await replaceSequence(next.sampled, next.n, why)
        else await keyedSequence(one, next.sampled, next.n, why)
      }
    }
    // A worker that ends does so for all lanes.
    await Promise.all(Array.from({ length: ends ? 1 : LANES }, lane))
  },
)
