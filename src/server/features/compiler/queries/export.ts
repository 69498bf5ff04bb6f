import type { CompiledFilters } from '../../../../contract/compiler-records.ts'
import { writeCsv } from '../../../platform/csv/rows.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { FileAnswer } from '../../../platform/http/feature.ts'
import { countRows } from '../../../snapshots/bit-sets.ts'
import { findRecords } from './find-rows.ts'
import { eachBatch } from './records.ts'

const AFTER_THE_FIELDS = [
  'source_count',
  'has_blanks',
  'has_errors',
  'is_duplicate',
  'validation_notes',
  'created_at',
  'updated_at',
] as const

/** All records for which the filters hold, as a CSV file, read as it is taken. Throws NamedError `nothing_to_export` where there are none. */
export async function exportRecords(db: Db, filters: CompiledFilters): Promise<FileAnswer> {
  const found = await findRecords(db, filters)
  const total = found === null ? 0 : countRows(found.rows)
  if (found === null || total === 0) throw new NamedError('nothing_to_export')
  const columns = ['sku', ...found.version.fields, ...AFTER_THE_FIELDS]
  return {
    content: writeCsv(columns, flat(eachBatch(db, found, { offset: 0, limit: total }))),
    filename: `compiler_config_${filters.compiler_config_id}_data.csv`,
  }
}

async function* flat<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch
}
