import type { z } from 'zod'
import type {
  CompiledDataQuery,
  CompiledRecord,
  compilerRecords,
} from '../../../../contract/compiler/records.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { StreamedReply } from '../../../platform/http/streamed-reply.ts'
import { countRows, rowNumbers } from '../../../snapshots/bit-sets.ts'
import { pinSnapshot } from '../../../snapshots/pin.ts'
import { type BlockRecord, recordsAt } from '../../../snapshots/record-blocks.ts'
import { type Found, findRecords } from './find-rows.ts'
import { flagsOf, type RecordFlags } from './flags.ts'
import { notesOf } from './notes.ts'
import type { CompiledVersion } from './version.ts'

const RECORDS_AT_A_TIME = 500

type Page = z.infer<typeof compilerRecords.data.reply>

/** Streams a page of a configuration's records in order. Throws NamedError `compiler_task_not_found`. */
export async function readRecords(db: Db, query: CompiledDataQuery): Promise<StreamedReply<Page>> {
  const { limit, offset } = query
  const found = await findRecords(db, query)
  const total_count = found === null ? 0 : countRows(found.rows)
  const has_next = offset + limit < total_count
  return new StreamedReply<Page>(
    { total_count, limit, offset, has_next, has_prev: offset > 0 },
    'data',
    eachBatch(db, found, { offset, limit }),
  )
}

/** Yields the found records in batches. The version stays pinned until the consumer has finished. */
export async function* eachBatch(
  db: Db,
  found: Found | null,
  { offset, limit }: { offset: number; limit: number },
): AsyncGenerator<CompiledRecord[]> {
  if (found === null) return
  const { version, rows } = found
  const numbers = rowNumbers(rows, { offset, limit })
  for (let first = 0; first < numbers.length; first += RECORDS_AT_A_TIME) {
    if (!(await pinSnapshot(db, version.snapshot_id))) throw new NamedError('version_gone')
    yield await presentAt(db, version, numbers.slice(first, first + RECORDS_AT_A_TIME))
  }
}

/** Reads records by row number, in the given order. */
async function presentAt(
  db: Db,
  version: CompiledVersion,
  row_nos: readonly number[],
): Promise<CompiledRecord[]> {
  const records = await recordsAt(db, version.rows_of, row_nos)
  const flags = await flagsOf(db, version, row_nos)
  return records.map((record) => present(record, version, flags(record.row_no)))
}

/** Converts a stored record to the contract's form. */
export function present(row: BlockRecord, version: CompiledVersion, flags: RecordFlags): CompiledRecord {
  const { created_at, updated_at } = row
  return {
    ...shown(row, version, flags),
    compiler_config_id: version.compiler_config_id,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

/** Converts a record without the fields that only stored records have. */
export function shown(
  row: Pick<BlockRecord, 'sku' | 'cells' | 'found' | 'field_sources' | 'source_rows'>,
  version: Parameters<typeof notesOf>[1] & Pick<CompiledVersion, 'formats'>,
  flags: RecordFlags,
) {
  const { has_blanks, has_errors, is_duplicate } = flags
  const { sku, cells, found } = row
  return {
    ...Object.fromEntries(version.fields.map((field, n) => [field, cells[n + 1] ?? null])),
    sku,
    source_count: found.filter((times) => times > 0).length,
    has_blanks,
    has_errors,
    is_duplicate,
    validation_notes: notesOf(row, version, flags)
      .map(({ explanation }) => explanation)
      .join(' '),
    number_formats: version.formats.named(version.fields, row),
  }
}
