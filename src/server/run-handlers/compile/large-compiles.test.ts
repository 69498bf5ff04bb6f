import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aMerge, aSource, compileHandler, storedRecords } from '../../../../test/fixtures/compiling.ts'
import { databasePerTest } from '../../../../test/fixtures/database.ts'
import { runOf, startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy, aSourceTask } from '../../../../test/fixtures/factories.ts'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { plainMerge } from '../../../../test/fixtures/plain-merge.ts'
import { until } from '../../../../test/processes/processes.ts'
import { prune } from '../../engine/prune.ts'
import { Totals } from './totals.ts'

const database = databasePerTest()
type Cell = string | number | boolean | null

async function compiled(task_id: number, folder?: string) {
  const engine = await startEngine(database, [compileHandler(database, folder)])
  await engine.queueRun(task_id)
  const run = await runOf(database.db, task_id)
  await engine.stop()
  return run
}

test('fifty sources with three hundred columns give the result of a plain merge', async () => {
  const sources = Array.from({ length: 50 }, (_, source) => ({
    columns: ['Shared', ...Array.from({ length: 6 }, (_, n) => `Größe ${source}/${n}`), 'SKU'],
    sku: 7,
    rows: Array.from({ length: 20 }, (_, row): Cell[] => [
      (row + source) % 7 === 0 ? `${source} ${row}` : null,
      ...[`💠 ${source}`, row, row % 2 === 0, '', 0, null],
      `Ä-${(row * 7 + source) % 60}`,
    ]),
  }))
  const ids: number[] = []
  for (const { columns, rows } of sources) ids.push(await aSource(database.db, columns, rows))
  const config = await aMerge(database.db, ids)
  expect(await compiled(config.task_id)).toMatchObject({ state: 'success', error: null })
  const expected = plainMerge(sources)
  const { fields, rows } = await storedRecords(database.db, config.task_id)
  expect(fields).toHaveLength(301)
  expect(fields).toEqual(expected.fields)
  expect(
    rows.map(({ sku, cells, source_rows, found_in }) => ({
      ...{ sku, source_rows, found_in },
      values: Object.fromEntries(
        fields.flatMap((field, n) => (cells[n + 1] === null ? [] : [[field, cells[n + 1]]])),
      ),
    })),
  ).toEqual(
    expected.records.map(({ sku, source_rows, found_in, values }) => ({
      sku,
      source_rows,
      found_in,
      values,
    })),
  )
})

test('if sources run during a compile, the versions at its start are merged', async () => {
  const { db } = database
  const columns = ['SKU', 'Round']
  const rows = (round: string): Cell[][] =>
    Array.from({ length: 100 }, (_, n) => [`${n}`, n % 2 ? null : round])
  const ids = [await aSource(db, columns, rows('old')), await aSource(db, columns, rows('old').reverse())]
  const config = await aMerge(db, ids)
  const engine = await startEngine(database, [compileHandler(database)])
  // Merging waits for this lock, reading does not.
  const holding = await db.startTransaction().execute()
  await sql`lock table compiled_blocks in share mode`.execute(holding)
  await engine.queueRun(config.task_id)
  await until('it merges', async () => {
    const { rows: waiting } = await sql`
      select from pg_locks where relation = 'compiled_blocks'::regclass and not granted`.execute(db)
    return waiting.length > 0
  })
  for (const id of ids) await aCopy(db, id, columns, rows('new'))
  await sql`update snapshots set created_at = now() - interval '1 hour'`.execute(db)
  await prune(db, 90)
  await holding.rollback().execute()
  expect(await runOf(db, config.task_id)).toMatchObject({ state: 'success' })
  const rounds = async () =>
    new Set((await storedRecords(db, config.task_id)).rows.map(({ cells }) => cells[1]))
  expect(await rounds()).toEqual(new Set(['old', null]))
  await engine.queueRun(config.task_id)
  await until('the next one is over', async () => (await rounds()).has('new'))
  expect(await rounds()).toEqual(new Set(['new', null]))
})

test('source versions are pinned again while they are read, however long the run takes', async () => {
  const { db } = database
  const ids = [await aSource(db, ['SKU'], [['1']]), await aSource(db, ['SKU'], [['2']])]
  const config = await aMerge(db, ids)
  // The pins have expired when the version begins.
  await sql`
    create function forget_pins() returns trigger language plpgsql as $$
    begin
      update snapshots set pinned_until = now() - interval '1 hour' where kind <> 'compiled';
      return null;
    end $$`.execute(db)
  await sql`
    create trigger forget_pins after insert on snapshots for each row when (new.kind = 'compiled')
    execute function forget_pins()`.execute(db)
  expect(await compiled(config.task_id)).toMatchObject({ state: 'success' })
  const { rows } = await sql<{ kept: boolean }>`
    select pinned_until > now() + interval '5 minutes' as kept
    from snapshots where id in (select snapshot_id from tasks where id = any (${ids}::int[]))`.execute(db)
  expect(rows).toEqual([{ kept: true }, { kept: true }])
})

test.each([
  ['one is missing', sql`delete from snapshot_rows where row_no = 2`],
  ['one is too many', sql`update snapshots set row_count = 3 where row_count = 4`],
  [
    'one too many lies far behind the last',
    sql`insert into snapshot_rows (snapshot_id, row_no, cells)
      select snapshot_id, 1000000, '["5"]' from snapshot_rows where row_no = 4`,
  ],
])('a source that lacks rows, %s, fails the run, and the previous records stay', async (name, change) => {
  const { db } = database
  const source = await aSource(db, ['SKU'], [['1'], ['2'], ['3']], 'Bolts')
  const config = await aMerge(db, [source])
  await neverAgain(config.task_id)
  expect(await compiled(config.task_id)).toMatchObject({ state: 'success' })
  await aCopy(db, source, ['SKU'], [['1'], ['2'], ['3'], ['4']])
  await change.execute(db)
  const { state, error } = await compiled(config.task_id)
  expect([name, state, error]).toEqual([name, 'failed', 'The rows of ‘Bolts’ were replaced meanwhile.'])
  expect((await storedRecords(db, config.task_id)).rows.map(({ sku }) => sku)).toEqual(['1', '2', '3'])
})

/** Makes a run of a task fail at once. */
async function neverAgain(task_id: number): Promise<void> {
  const { id: task_type_id } = await database.db
    .insertInto('task_types')
    .values({ name: 'Once', category: 'compiler', chunk_size: 1000, max_retries: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.db.updateTable('tasks').set({ task_type_id }).where('id', '=', task_id).execute()
}

const RECORDS = 20_011
const FIELDS = 8

/** Stores rows in an order that depends on the source. A value names source, row and field; one in three is blank. */
async function aLargeSource(source: number): Promise<number> {
  const { db } = database
  const { id } = await aSourceTask(db)
  const columns = JSON.stringify(['SKU', ...Array.from({ length: FIELDS }, (_, field) => `Field ${field}`)])
  const cells = Array.from(
    { length: FIELDS },
    (_, field) => sql`case when hashint4(n * 31 + ${sql.lit(source * 7 + field)}) % 3 <> 0 then
      ${sql.lit(`${source} `)} || n || ${sql.lit(` ${field}`)} end`,
  )
  await sql`
    with version as (
      insert into snapshots (task_id, kind, columns, header, row_count, completed_at)
      select ${id}, 'source', ${columns}::jsonb, ${columns}::jsonb, ${RECORDS}::int, now() returning id
    ), stored as (
      insert into snapshot_rows (snapshot_id, row_no, cells)
      select id, n, jsonb_build_array('SKU-' || n::bigint * ${7919 + source * 2} % ${RECORDS + 1_000 * source}, ${sql.join(cells)})
      from version, generate_series(1, ${RECORDS}::int) n order by hashint4(n)
    )
    update tasks set snapshot_id = version.id from version where tasks.id = ${id}`.execute(db)
  return id
}

/** The first row of each SKU of a task's current rows. */
async function firstRows(task_id: number): Promise<Map<string, { row_no: number; cells: Cell[] }>> {
  const rows = await database.db
    .selectFrom('tasks')
    .innerJoin('snapshot_rows as r', 'r.snapshot_id', 'tasks.snapshot_id')
    .select(['row_no', 'cells'])
    .where('tasks.id', '=', task_id)
    .orderBy('row_no', 'desc')
    .execute()
  return new Map(rows.map((row) => [String(row.cells[0]), row]))
}

test('a thousand random fields of a large compile have the source, row and value that follow from the rules', async () => {
  const ids = [await aLargeSource(0), await aLargeSource(1), await aLargeSource(2)]
  const config = await aMerge(database.db, ids)
  expect(await compiled(config.task_id)).toMatchObject({ state: 'success' })
  const sources = await Promise.all(ids.map(firstRows))
  const { rows } = await storedRecords(database.db, config.task_id)
  expect(rows.map(({ row_no }) => row_no)).toEqual(rows.map((_, n) => n + 1))
  expect(new Set(rows.map(({ sku }) => sku))).toEqual(new Set(sources.flatMap((found) => [...found.keys()])))
  for (let n = 0; n < 1_000; n += 1) {
    const record = rows[Math.floor(Math.random() * rows.length)]
    const field = 1 + Math.floor(Math.random() * FIELDS)
    const found = sources.map((skus) => skus.get(record?.sku ?? ''))
    const winner = found.findIndex((row) => (row?.cells[field] ?? null) !== null)
    expect(
      [record?.cells[field], record?.field_sources[field - 1], record?.source_rows],
      record?.sku,
    ).toEqual([found[winner]?.cells[field] ?? null, winner + 1, found.map((row) => row?.row_no ?? 0)])
  }
})

test('merging does not block the process', async () => {
  const config = await aMerge(database.db, [await aLargeSource(0), await aLargeSource(1)])
  const merged = vi.spyOn(Totals.prototype, 'add')
  onTestFinished(() => merged.mockRestore())
  let [before, most, turns, isOver] = [0, 0, 0, false]
  const turn = () => {
    const { length } = merged.mock.calls
    most = Math.max(most, length - before)
    before = length
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  turn()
  expect(await compiled(config.task_id)).toMatchObject({ state: 'success' })
  isOver = true
  expect([before > RECORDS, turns > 100]).toEqual([true, true])
  // About 1 ms of records. Without yields it would be a whole batch of thousands.
  expect(most).toBeLessThanOrEqual(2 * 256)
})

test('if the spill file does not fit on the disk, the run fails with that message, the previous records stay, and no file is left', async () => {
  const columns = ['SKU', 'Text']
  const folder = join(await testFolder(), 'scratch')
  const source = await aSource(database.db, columns, [['1', 'before']])
  const config = await aMerge(database.db, [source])
  await neverAgain(config.task_id)
  expect(await compiled(config.task_id, folder)).toMatchObject({ state: 'success' })
  // More than fits in memory, so a file is written.
  const rows = Array.from({ length: 60 }, (_, n): Cell[] => [`${n}`, 'after '.repeat(8_000)])
  await aCopy(database.db, source, columns, rows)
  const file = await open(join(folder, '../any'), 'w')
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const write = vi.spyOn(Object.getPrototypeOf(file), 'writev').mockRejectedValue(full)
  await file.close()
  const run = await compiled(config.task_id, folder)
  expect(write).toHaveBeenCalled()
  write.mockRestore()
  expect(run).toMatchObject({
    state: 'failed',
    error: 'There is no room left in the data folder of the worker: make room in its DATA_DIR.',
  })
  const { db } = database
  expect((await storedRecords(db, config.task_id)).rows.map(({ cells }) => cells)).toEqual([['1', 'before']])
  expect(await readdir(folder)).toEqual([])
  expect(await compiled(config.task_id, folder)).toMatchObject({ state: 'success' })
  expect((await storedRecords(db, config.task_id)).row_count).toBe(60)
})
