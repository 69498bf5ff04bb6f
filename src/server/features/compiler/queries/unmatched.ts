import type { QueryOf } from '../../../../contract/calls.ts'
import type { compilerRecords, SkuMapping, UnmatchedSku } from '../../../../contract/compiler/records.ts'
import type { Db } from '../../../platform/db.ts'
import { countRows, matchingRows, rowNumbers } from '../../../snapshots/bit-sets.ts'
import { recordsAt } from '../../../snapshots/record-blocks.ts'
import { taskOfConfig } from '../../../tasks/task-identity.ts'
import { outsideMaster } from './find-rows.ts'
import { nearestSkus } from './nearest-skus.ts'
import { sourcesIn } from './notes.ts'
import { readCompiled } from './version.ts'

/** Lists the SKU mappings of a configuration's sources. Throws NamedError `compiler_task_not_found`. */
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

/** Lists SKUs that are missing in the master, with the closest SKUs of the master. Throws NamedError `compiler_task_not_found`. */
export async function readUnmatched(
  db: Db,
  { compiler_config_id, limit, offset }: QueryOf<typeof compilerRecords.unmatched>,
) {
  const version = await readCompiled(db, compiler_config_id)
  const page = { limit, offset, has_prev: offset > 0 }
  if (version === null) return { data: [], total_count: 0, has_next: false, ...page }
  const { rows_of, removed, stored_rows } = version
  const strangers = await outsideMaster(db, version)
  const outside = matchingRows(stored_rows, [
    { set: strangers, wanted: true },
    { set: removed, wanted: false },
  ])
  const inMaster = matchingRows(stored_rows, [
    { set: strangers, wanted: false },
    { set: removed, wanted: false },
  ])
  const total_count = countRows(outside)
  const records = await recordsAt(db, rows_of, rowNumbers(outside, { offset, limit }))
  const skus = records.map(({ sku }) => sku)
  const nearest = await nearestSkus(db, { rows_of, among: inMaster, skus })
  const named = new Map(
    (
      await recordsAt(
        db,
        rows_of,
        [...nearest.values()].flat().map(({ row_no }) => row_no),
      )
    ).map((record) => [record.row_no, record.sku]),
  )
  const mappings = await mappingsOf(db, compiler_config_id, skus)
  const data = records.map(
    ({ sku, found }): UnmatchedSku => ({
      sku,
      sources: sourcesIn(version.sources, found).map(({ task_id, name }) => ({
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

const mappingsOf = (db: Db, config_id: number, skus: string[]): Promise<SkuMapping[]> =>
  skus.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('compiler_sku_mappings')
        .select(['source_task_id', 'sku', 'master_sku'])
        .where('compiler_config_id', '=', config_id)
        .where('sku', 'in', skus)
        .execute()
