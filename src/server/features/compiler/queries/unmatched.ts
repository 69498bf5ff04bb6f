import { sql } from 'kysely'
import type { QueryOf } from '../../../../contract/calls.ts'
import type { compilerRecords, SkuMapping, UnmatchedSku } from '../../../../contract/compiler-records.ts'
import type { Db } from '../../../platform/db.ts'
import { countRows, matchingRows, rowNumbers } from '../../../snapshots/bit-sets.ts'
import { taskOfConfig } from '../../../tasks/task-of-config.ts'
import { outsideMaster } from './find-rows.ts'
import { nearestSkus } from './nearest-skus.ts'
import { sourcesIn } from './notes.ts'
import { type CompiledVersion, readCompiled } from './version.ts'

/** What sources of a configuration call SKUs that its master knows by others. Throws NamedError `compiler_task_not_found`. */
export async function readMappings(db: Db, config_id: number): Promise<SkuMapping[]> {
  await taskOfConfig(db, config_id)
  return db
    .selectFrom('compiler_sku_mappings')
    .select(['source_task_id', 'sku', 'master_sku'])
    .where('compiler_config_id', '=', config_id)
    .orderBy('source_task_id')
    .orderBy('sku')
    .execute()
}

/** SKUs that the master does not have, with those of the master that are nearest to them. Throws NamedError `compiler_task_not_found`. */
export async function readUnmatched(
  db: Db,
  { compiler_config_id, limit, offset }: QueryOf<typeof compilerRecords.unmatched>,
) {
  const version = await readCompiled(db, compiler_config_id)
  const page = { limit, offset, has_prev: offset > 0 }
  if (version === null) return { data: [], total_count: 0, has_next: false, ...page }
  const outside = matchingRows(version.stored_rows, [
    { set: await outsideMaster(db, version), wanted: true },
    { set: version.removed, wanted: false },
  ])
  const total_count = countRows(outside)
  const records = await skusAt(db, version, rowNumbers(outside, { offset, limit }))
  const skus = records.map(({ sku }) => sku)
  const nearest = await nearestSkus(db, { rows_of: version.rows_of, outside, skus })
  const named = new Map(
    (
      await skusAt(
        db,
        version,
        [...nearest.values()].flat().map(({ row_no }) => row_no),
      )
    ).map((record) => [record.row_no, record.sku]),
  )
  const mappings = await mappingsOf(db, compiler_config_id, skus)
  const data = records.map(
    ({ sku, found_in }): UnmatchedSku => ({
      sku,
      sources: sourcesIn(version.sources, found_in).map(({ task_id, name }) => ({
        ...{ source_task_id: task_id, name },
        mapped_to:
          mappings.find((one) => one.source_task_id === task_id && one.sku === sku)?.master_sku ?? null,
      })),
      candidates: (nearest.get(sku) ?? []).flatMap(({ row_no, distance }) => {
        const candidate = named.get(row_no)
        return candidate === undefined ? [] : [{ sku: candidate, same: distance === 0 }]
      }),
    }),
  )
  return { data, total_count, has_next: offset + data.length < total_count, ...page }
}

type OfRow = { row_no: number; sku: string; found_in: number[] }

async function skusAt(db: Db, { rows_of }: CompiledVersion, row_nos: readonly number[]): Promise<OfRow[]> {
  const { rows } = await sql<OfRow>`
    select (r).row_no, (r).sku, (r).found_in from (
      select place,
        (select r from compiled_records r where r.snapshot_id = ${rows_of} and r.row_no = page.row_no) as r
      from unnest(${row_nos}::int[]) with ordinality as page (row_no, place) offset 0
    ) page where (r).row_no is not null order by place`.execute(db)
  return rows
}

const mappingsOf = (db: Db, config_id: number, skus: string[]): Promise<SkuMapping[]> =>
  skus.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('compiler_sku_mappings')
        .select(['source_task_id', 'sku', 'master_sku'])
        .where('compiler_config_id', '=', config_id)
        .where('sku', 'in', skus)
        .execute()
