import type { CompiledFilters, CompiledRecord } from '../../../../contract/compiler-records.ts'
import { writeCsv } from '../../../platform/csv/rows.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { FileAnswer } from '../../../platform/http/feature.ts'
import { type BitSet, countRows, rowNumbers } from '../../../snapshots/bit-sets.ts'
import { pinSnapshot } from '../../../snapshots/pin.ts'
import { findRows } from './find-rows.ts'
import { recordsAt } from './records.ts'
import { type CompiledVersion, readCompiled } from './version.ts'

const RECORDS_AT_A_TIME = 500

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
  const version = await readCompiled(db, filters.compiler_config_id)
  const found = version === null ? new Uint8Array() : await findRows(db, version, filters)
  if (version === null || countRows(found) === 0) throw new NamedError('nothing_to_export')
  const columns = ['sku', ...version.fields, ...AFTER_THE_FIELDS]
  return {
    content: writeCsv(columns, eachRecord(db, version, found)),
    filename: `compiler_config_${filters.compiler_config_id}_data.csv`,
  }
}

async function* eachRecord(db: Db, version: CompiledVersion, found: BitSet): AsyncGenerator<CompiledRecord> {
  const total = countRows(found)
  for (let offset = 0; offset < total; offset += RECORDS_AT_A_TIME) {
    if (!(await pinSnapshot(db, version.snapshot_id))) throw new NamedError('version_gone')
    yield* await recordsAt(db, version, rowNumbers(found, { offset, limit: RECORDS_AT_A_TIME }))
  }
}
