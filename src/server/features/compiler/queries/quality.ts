import type { z } from 'zod'
import { CompilerQuality, QualityMoves } from '../../../../contract/compiler/records.ts'
import type { Db } from '../../../platform/db.ts'
import { hasRow } from '../../../snapshots/bit-sets.ts'
import { fieldSources } from '../../../snapshots/record-blocks.ts'
import { taskOfConfig } from '../../../tasks/task-identity.ts'
import { countOf, readChecks } from './check-results.ts'
import { versionSet } from './flags.ts'
import { lastCompiles } from './last-compiles.ts'
import { largestMoves } from './moves.ts'
import { type CompiledVersion, readCompiled, readEarlier } from './version.ts'

/**
 * Computes the quality report of a configuration. Results that need a full scan are cached. Throws NamedError
 * `compiler_task_not_found`.
 */
export async function readQuality(db: Db, config_id: number): Promise<CompilerQuality> {
  const last = await lastCompiles(db, await taskOfConfig(db, config_id))
  const compiles = last.map(
    ({ receipt: { records, clean = null, blanks, errors, duplicates }, ...compile }) => ({
      ...compile,
      ...{ total: records, clean, blanks, errors, duplicates },
    }),
  )
  const version = await readCompiled(db, config_id)
  if (version === null) return { compiles, fields: [], checks: [], since_last: null }
  const earlier = await readEarlier(db, config_id)
  const { fields, moves } = await readWalk(db, version, earlier)
  const checks = await readChecks(db, version, earlier)
  if (earlier === null) return { compiles, fields, checks, since_last: null }
  return {
    compiles,
    fields,
    checks,
    since_last: {
      added: countOf(version, await versionSet(db, version, 'added_rows')),
      changed: countOf(version, await versionSet(db, version, 'changed_rows')),
      gone: countOf(earlier, await versionSet(db, version, 'gone_rows')),
      ...moves,
      moves: moves.moves.map((move) => ({ ...move, number_format: formatOf(version, move) })),
    },
  }
}

/** Number format that the source uses for this field. */
function formatOf(
  { fields, sources, formats }: CompiledVersion,
  { field, source, row = 0 }: z.infer<typeof QualityMoves>['moves'][number],
) {
  const number = sources.findIndex(({ task_id }) => task_id === source.source_task_id) + 1
  return formats.of(fields.indexOf(field), number, row)
}

const Fields = CompilerQuality.shape.fields
type Walk = Pick<CompilerQuality, 'fields'> & { moves: z.infer<typeof QualityMoves> }

async function readWalk(db: Db, version: CompiledVersion, earlier: CompiledVersion | null): Promise<Walk> {
  const { snapshot_id } = version
  const known = await db
    .selectFrom('compiled_quality')
    .select(['fields', 'moves'])
    .where('snapshot_id', '=', snapshot_id)
    .executeTakeFirst()
  if (known) return { fields: Fields.parse(known.fields), moves: QualityMoves.parse(known.moves) }
  const walk = {
    fields: await filledFields(db, version),
    moves:
      earlier === null ? { moves: [], moves_of: 0, causes: [] } : await largestMoves(db, version, earlier),
  }
  await db
    .insertInto('compiled_quality')
    .values({ snapshot_id, fields: JSON.stringify(walk.fields), moves: JSON.stringify(walk.moves) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return walk
}

async function filledFields(db: Db, version: CompiledVersion): Promise<CompilerQuality['fields']> {
  const { rows_of, removed, fields, sources, row_count } = version
  const counts = fields.map(() => new Int32Array(sources.length + 1))
  for await (const { first_row, size, field_sources } of fieldSources(db, rows_of))
    for (const [field, of] of counts.entries())
      for (let n = 0; n < size; n += 1)
        if (!hasRow(removed, first_row + n)) {
          // Unchanged records of earlier versions have no entry for fields that were added later.
          const source = field_sources[field * size + n] ?? 0
          of[source] = (of[source] ?? 0) + 1
        }
  return fields.map((name, field) => {
    const filled_by = sources
      .map(({ task_id, name }, by) => ({
        ...{ source_task_id: task_id, name, records: counts[field]?.[by + 1] ?? 0 },
      }))
      .filter(({ records }) => records > 0)
      .sort((a, b) => b.records - a.records)
    return { name, blanks: row_count - filled_by.reduce((sum, { records }) => sum + records, 0), filled_by }
  })
}
