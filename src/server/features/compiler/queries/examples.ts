import type { CellValue, NumberFormat } from '../../../../contract/tables.ts'
import type { Db } from '../../../platform/db.ts'
import { recordsAt } from '../../../snapshots/record-blocks.ts'
import type { CompiledVersion } from './version.ts'

const EXAMPLES = 200

type Example = { value: CellValue; number_format: NumberFormat | null }

/** Values of the first records by field, which say what a typed text means. */
export async function examplesOf(
  db: Db,
  version: CompiledVersion,
): Promise<(field: string) => readonly Example[]> {
  const records = await recordsAt(
    db,
    version.rows_of,
    Array.from({ length: Math.min(EXAMPLES, version.stored_rows) }, (_, n) => n + 1),
  )
  const of = new Map<string, Example[]>()
  return (field) => {
    const n = version.fields.indexOf(field)
    const examples =
      of.get(field) ??
      records.map((record) => ({
        value: record.cells[n + 1] ?? null,
        number_format: version.formats.ofField(n, record),
      }))
    of.set(field, examples)
    return examples
  }
}
