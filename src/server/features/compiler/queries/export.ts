import type { CompiledFilters, CompiledRecord } from '../../../../contract/compiler/records.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { writeCsv } from '../../../platform/csv/rows.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { FileAnswer } from '../../../platform/http/feature.ts'
import { countRows } from '../../../snapshots/bit-sets.ts'
import { dateText } from '../../../snapshots/date-text.ts'
import { findRecords } from './find-rows.ts'
import { overriddenSkus } from './overrides.ts'
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

/**
 * Streams all records that match the filters as a CSV file, with dates and times as text. Throws NamedError `nothing_to_export` if
 * none match.
 */
export async function exportRecords(
  db: Db,
  { overrides, ...filters }: CompiledFilters & { overrides?: 'true' | 'false' | undefined },
): Promise<FileAnswer> {
  const found = await findRecords(db, filters)
  const total = found === null ? 0 : countRows(found.rows)
  if (found === null || total === 0) throw new NamedError('nothing_to_export')
  const columns = ['sku', ...found.version.fields, ...AFTER_THE_FIELDS]
  const batches = eachBatch(db, found, { offset: 0, limit: total })
  const rows = eachRow(batches, columns)
  return {
    content:
      overrides === 'true'
        ? writeCsv([...columns, 'overrides'], withOverrides(rows, await overriddenSkus(db, found.version)))
        : writeCsv(columns, rows),
    filename: `compiler_config_${filters.compiler_config_id}_data.csv`,
  }
}

async function* eachRow(
  batches: AsyncIterable<readonly CompiledRecord[]>,
  columns: readonly string[],
): AsyncGenerator<CellValue[]> {
  for await (const records of batches)
    for (const record of records)
      yield columns.map((name) => {
        const value = record[name] ?? null
        return typeof value === 'object' ? null : dateText(value, record.number_formats[name])
      })
}

/** Adds a column that names the author and reason of each value that a person set. */
async function* withOverrides(
  rows: AsyncIterable<CellValue[]>,
  texts: ReadonlyMap<string, string>,
): AsyncGenerator<CellValue[]> {
  for await (const row of rows) yield [...row, texts.get(String(row[0])) ?? null]
}
