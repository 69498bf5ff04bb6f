import { createReadStream } from 'node:fs'
import { z } from 'zod'
import type { CsvRowError } from '../../../../contract/csv-jobs/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import { type OverrideFileReply, OverrideRow } from '../../../../contract/overrides/calls.ts'
import { typedValue } from '../../../../contract/overrides/overrides.ts'
import { overrideServerMessages as messages } from '../../../../contract/overrides/server-messages.ts'
import type { Actor } from '../../../platform/audit.ts'
import { type CsvRow, readCsv } from '../../../platform/csv/rows.ts'
import { type Db, retriedTransaction } from '../../../platform/db.ts'
import type { ReceivedFile } from '../../../platform/http/upload.ts'
import { examplesOf } from '../queries/examples.ts'
import { CSV_COLUMNS } from '../queries/overrides.ts'
import type { CompiledVersion } from '../queries/version.ts'
import {
  compiledFor,
  fieldNamed,
  lockConfig,
  planChange,
  storeChange,
  type WantedOverride,
} from './set-overrides.ts'

const SHAPE = {
  columns: CSV_COLUMNS,
  required: ['sku', 'field', 'value'],
  ignored: [],
  aliases: { SKU: 'sku', Field: 'field', Value: 'value' },
  max_rows: limits.overrides_file_rows,
}

const Applied = z.object({ apply: z.enum(['true', 'false']) })

type Given = { config_id: number; zone: string; upload: ReceivedFile }

/**
 * Sets the overrides of a CSV file, or says what it would do. Rows that cannot be read are left out. Throws NamedError `csv_invalid`,
 * `compiler_task_not_found` or `override_invalid`.
 */
export async function importOverrides(
  db: Db,
  actor: Actor,
  { config_id, zone, upload }: Given,
): Promise<z.input<typeof OverrideFileReply>> {
  const { apply } = Applied.parse(upload.options)
  const version = await compiledFor(db, config_id)
  const { rows, overrides, errors } = await readFile(db, version, { path: upload.path, today: todayIn(zone) })
  const wanted = { config_id, zone, overrides }
  const { change, batch } =
    apply === 'true'
      ? await retriedTransaction(db, async (trx) => {
          const task_id = await lockConfig(trx, config_id)
          const planned = await planChange(trx, wanted)
          return {
            change: planned,
            ...(await storeChange(trx, actor, { config_id, task_id, change: planned })),
          }
        })
      : { change: await planChange(db, wanted), batch: null }
  const { entries, unchanged } = change
  return {
    ...{ batch, rows, unchanged, set: entries.length },
    replaced: entries.filter(({ live }) => live !== null).length,
    no_sku: entries.filter(({ has_record }) => !has_record).length,
    refused: errors.length,
    errors: errors.slice(0, limits.csv_errors_shown),
    first: entries
      .slice(0, limits.overrides_shown)
      .map(({ sku, field, before, value, reason }) => ({ sku, field, before, after: value, reason })),
  }
}

const todayIn = (zone: string) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date())

type File = { rows: number; overrides: WantedOverride[]; errors: CsvRowError[] }

async function readFile(
  db: Db,
  version: CompiledVersion,
  { path, today }: { path: string; today: string },
): Promise<File> {
  const examples = await examplesOf(db, version)
  const file: File = { rows: 0, overrides: [], errors: [] }
  const seen = new Set<string>()
  for await (const row of readCsv(createReadStream(path), SHAPE)) {
    file.rows += 1
    const read = readRow(row, today)
    const refuse = (field: string | null, message: string) =>
      file.errors.push({ row: row.row, field, message })
    if ('message' in read) {
      refuse(read.field, read.message)
      continue
    }
    const field = fieldNamed(version, read.field)
    if (field === null) {
      refuse('field', messages.field_unknown(read.field))
      continue
    }
    const key = JSON.stringify([read.sku, field])
    if (seen.has(key)) {
      refuse('sku', messages.twice(read.sku, field))
      continue
    }
    seen.add(key)
    file.overrides.push({ ...read, field, value: typedValue(String(read.value ?? ''), examples(field)) })
  }
  return file
}

function readRow(row: CsvRow, today: string): OverrideRow | { field: string | null; message: string } {
  if ('problem' in row) return { field: null, message: row.problem }
  const { ends_on = '', reason = '', ...cells } = row.cells
  const parsed = OverrideRow.safeParse({ ...cells, reason, ends_on: ends_on === '' ? null : ends_on })
  if (parsed.success) {
    const day = parsed.data.ends_on
    return day !== null && day < today
      ? { field: 'ends_on', message: messages.ends_on_over(day) }
      : parsed.data
  }
  const [issue] = parsed.error.issues
  return { field: String(issue?.path[0] ?? ''), message: issue?.message ?? '' }
}
