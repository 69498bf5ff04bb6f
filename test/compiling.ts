import { tmpdir } from 'node:os'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { RunHandler } from '../src/server/engine/types.ts'
import { createPool } from '../src/server/platform/db.ts'
import type { Database } from '../src/server/platform/schema.ts'
import { createCompileHandler } from '../src/server/run-handlers/compile/handler.ts'
import { countRows, hasRow } from '../src/server/snapshots/bit-sets.ts'
import { recordsAt } from '../src/server/snapshots/record-blocks.ts'
import { cleanUpAfterEachTest } from './clean-up.ts'
import { aConfig, aCopy, aSourceTask } from './factories.ts'

type Db = Kysely<Database>
type Cell = string | number | boolean | null

/** A source task with its rows. */
export async function aSource(db: Db, columns: string[], rows: Cell[][], name?: string): Promise<number> {
  const { id } = await aSourceTask(db, name === undefined ? {} : { name })
  await aCopy(db, id, columns, rows)
  return id
}

/** A configuration that merges source tasks, the first of them being its master. */
export async function aMerge(db: Db, source_ids: number[], master = source_ids[0]) {
  const config = await aConfig(db)
  await db
    .insertInto('compiler_sources')
    .values(
      source_ids.map((source_task_id, position) => ({
        compiler_config_id: config.id,
        source_task_id,
        position,
        is_master: source_task_id === master,
      })),
    )
    .execute()
  return config
}

/** The records of a task as they are stored. */
export async function storedRecords(db: Db, task_id: number) {
  const version = await db
    .selectFrom('tasks')
    .innerJoin('snapshots', 'snapshots.id', 'tasks.snapshot_id')
    .innerJoin('compiled_versions as v', 'v.snapshot_id', 'snapshots.id')
    .select([
      'snapshots.id',
      'rows_of',
      'header',
      'row_count',
      'removed',
      'v.sources',
      'has_blanks',
      'has_errors',
      'is_duplicate',
    ])
    .where('tasks.id', '=', task_id)
    .executeTakeFirstOrThrow()
  const stored = version.row_count + countRows(version.removed)
  const rows = await recordsAt(
    db,
    version.rows_of ?? version.id,
    Array.from({ length: stored }, (_, n) => n + 1).filter((row_no) => !hasRow(version.removed, row_no)),
  )
  const bits = (set: Buffer) =>
    [...set].flatMap((byte, n) =>
      [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => (byte & (1 << bit) ? n * 8 + bit : [])),
    )
  const numbers = (found: Uint8Array, least: number) =>
    [...found].flatMap((times, n) => ((times & 3) >= least ? n : []))
  const flag = (set: Buffer) => bits(set).map((n) => rows[n]?.sku)
  return {
    ...version,
    fields: version.header.slice(1).map(String),
    has_blanks: flag(version.has_blanks),
    has_errors: flag(version.has_errors),
    is_duplicate: flag(version.is_duplicate),
    rows: rows.map(({ found, field_sources, ...row }) => ({
      ...row,
      ...{ found_in: numbers(found, 1), twice_in: numbers(found, 2), field_sources: [...field_sources] },
    })),
  }
}

const pools = new Set<Pool>()

/** What compiles in a test's database; `folder`: where it keeps what it has read. */
export function compileHandler({ url }: { url: string }, folder = tmpdir()): RunHandler {
  const pool = createPool({ url, max: 2 })
  pools.add(pool)
  return createCompileHandler({ pool, folder })
}

// After the engines, whose runs end first.
cleanUpAfterEachTest(async () => {
  for (const pool of pools) await pool.end()
  pools.clear()
})
