import { expect, onTestFinished, test } from 'vitest'
import { databasePerTest } from '../../../../../test/fixtures/database.ts'
import { aRun, aSyncTask } from '../../../../../test/fixtures/factories.ts'
import { wholeTable } from '../../../../contract/rows/row-settings.ts'
import type { Source, SourceRead, Target } from '../../../connectors/connector.ts'
import type { RunContext } from '../../../engine/types.ts'
import { createPool } from '../../../platform/db.ts'
import { readSnapshot } from '../../../snapshots/snapshot.ts'
import { compare } from '../compare/compare.ts'
import { readSource, reopenCopy, type SourceCopy } from '../read/source-copy.ts'

const long = 'x'.repeat(50_000)
/** One megabyte: 25 such rows exceed the cache. */
const large = (n: number) => JSON.stringify([n, ...Array<string>(20).fill(long)])
const LARGE = Array.from({ length: 25 }, (_, n) => large(n))

/** Rows with the same values, serialized in several ways. */
const WAYS = [
  ['["SKU","a\\/b",1.0]', '["SKU","a/b",1]'],
  ['[1.50,"\\u00e9",""]', '[1.5,"é"]'],
  ['[100000,null,"a\\/b"]', '[1E+5,"","a/b"]'],
  ['[]', '["",""]'],
  ['[-0.0,"=A1",true,""]', '[0,"=A1",true]'],
  ['["007",1.0E-7]', '["007",1e-7,null]'],
] as const

const rowsOf = (way: 0 | 1) => {
  const [header = '', ...some] = WAYS.map((ways) => ways[way])
  return [header, ...some, ...LARGE, ...some, '["end"]'].map((json) => Buffer.from(json))
}

async function* inBatches(rows: Buffer[]) {
  for (let from = 0; from < rows.length; from += 4) yield rows.slice(from, from + 4)
}

const database = databasePerTest()

test.each([
  { title: 'as it was', way: 0 },
  { title: 'written otherwise', way: 1 },
] as const)(
  'a target with the same values, $title, has the hash of the copy, also for a worker that takes over',
  async ({ way }) => {
    const { db, url } = database
    const pool = createPool({ url })
    onTestFinished(() => pool.end())
    const { id: task_id } = await aSyncTask(db)
    const { id } = await aRun(db, task_id)
    const context = {
      run: { id, task_id, definition: {}, checkpoint: null },
      db,
      progress: async () => {},
      transaction: (work) => db.transaction().execute(work),
    } as Partial<RunContext> as RunContext
    const reading = { batches: inBatches(rowsOf(0)), requests: 1 } as Partial<SourceRead> as SourceRead
    const source = {
      read: () => reading,
      formats: async () => ({ columns: [], sample_rows: null }),
    } as Partial<Source> as Source
    const target = {
      read: () => ({ batches: inBatches(rowsOf(way)), requests: 1 }),
      countCells: () => () => 0,
      formulas: async () => [],
    } as Partial<Target> as Target
    const heldBy = async (copy: SourceCopy) => {
      const { target_hash, cells_changed } = await compare({
        context,
        copy,
        target,
        owned_columns: 0,
        prefetch: null,
        phase: 'Comparing',
        before: null,
        finders: [],
      })
      return { hash: target_hash, cells_changed }
    }
    const { copy } = await readSource({
      context,
      pool,
      source,
      onRequested: () => {},
      arrangement: { ...wholeTable, excluded_fields: [] },
      originAt: () => ({ name: '', header_row: 1, time: null }),
      last: null,
      cell_characters: 50_000,
      streamed: null,
      discard: async () => {},
    })
    expect([copy.cachedRows.get(20)?.length, copy.cachedRows.get(33)]).toEqual([large(14).length, undefined])
    expect(await heldBy(copy)).toEqual({ hash: copy.hash, cells_changed: 0 })
    const stored = await readSnapshot(db, copy.snapshot_id)
    if (!stored) throw new Error('The copy was not completed')
    const again = await reopenCopy(context, stored)
    expect(again.hash).toBe(copy.hash)
    expect(await heldBy(again)).toEqual({ hash: copy.hash, cells_changed: 0 })
  },
)
