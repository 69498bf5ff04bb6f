import { sql } from 'kysely'
import type { CompiledRecordDetail } from '../../../../contract/compiler/records.ts'
import { failureSentence } from '../../../../contract/field-checks/describe-checks.ts'
import type { FieldCheck } from '../../../../contract/field-checks/field-checks.ts'
import { repairedCode } from '../../../../contract/field-checks/field-rules.ts'
import type { CellValue, NumberFormat } from '../../../../contract/tables.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { hasRow } from '../../../snapshots/bit-sets.ts'
import { type BlockRecord, recordsAt, rowsOfSku } from '../../../snapshots/record-blocks.ts'
import { decisionsInRecord } from '../../../snapshots/record-decisions.ts'
import { lackingFields } from './completeness.ts'
import { decisionsOf } from './decisions.ts'
import { flagsOf } from './flags.ts'
import { isBlank, isRequired, isWrong, notesOf, sourcesIn } from './notes.ts'
import { liveOverridesOf, overridesInRows, overridesOf } from './overrides.ts'
import { present } from './records.ts'
import { type CompiledVersion, readCompiled } from './version.ts'

/**
 * Reads one record with the origin of each value and the values of the other sources. Throws NamedError `compiler_task_not_found`
 * or `record_not_found`.
 */
export async function readRecord(
  db: Db,
  { sku, compiler_config_id }: { sku: string; compiler_config_id: number },
): Promise<CompiledRecordDetail> {
  const version = await readCompiled(db, compiler_config_id)
  const row = version && (await findRecord(db, version, sku))
  if (!version || !row) throw new NamedError('record_not_found')
  const { fields, sources, required_fields, formats } = version
  const isWanted = isRequired(required_fields)
  const flags = (await flagsOf(db, version, [row.row_no]))(row.row_no)
  const failed = flags.failed_checks.flatMap((check_no) => version.field_checks[check_no] ?? [])
  const said = await readSources(db, version, row.source_rows)
  const holders = sourcesIn(
    sources.map(({ task_id, name }, n) => ({
      number: n + 1,
      source_task_id: task_id,
      name,
      said: said[n] ?? null,
    })),
    row.found,
  )
  const applied = new Map(
    (await overridesInRows(db, version.rows_of, [row.row_no])).map(({ field, override_id }) => [
      field,
      override_id,
    ]),
  )
  const overrides = await overridesOf(db, [...applied.values()])
  const decided = await decisionsInRecord(db, version, row)
  const decisions = await decisionsOf(db, version, [...decided.values()])
  const live = await liveOverridesOf(db, { config_id: compiler_config_id, sku })
  const values = fields.map((name, n) => {
    const value = row.cells[n + 1] ?? null
    const number = row.field_sources[n] ?? 0
    const filler = sources[number - 1]
    const raw = filler
      ? rawOf(value, { said: said[number - 1]?.[n], filler, number_format: formats.ofField(n, row) })
      : null
    const failures = failed.filter(({ field }) => field === name)
    return {
      name,
      value,
      number_format: formats.ofField(n, row),
      required: isWanted(name),
      error: isWrong(value) || failures.some(({ severity }) => severity === 'error'),
      failures: failures.map(failureSentence),
      // A value that was kept out may have no source; the sources still have it.
      repaired: repairOf(failures, raw?.value ?? value ?? firstOf(holders, n)),
      raw,
      override: overrides.get(applied.get(n) ?? 0) ?? null,
      live_override: live.get(name) ?? null,
      decision: overrides.has(applied.get(n) ?? 0) ? null : (decisions.get(decided.get(n) ?? 0) ?? null),
      source: filler ? { source_task_id: filler.task_id, name: filler.name } : null,
      others: holders.flatMap(({ number, source_task_id, name, said }) => {
        const other = said?.[n]
        return other === undefined || source_task_id === filler?.task_id
          ? []
          : [
              {
                source_task_id,
                name,
                value: other,
                number_format: formats.of(n, number, row.source_rows[number - 1] ?? 0),
              },
            ]
      }),
    }
  })
  const wanted = values.filter(({ required }) => required)
  return {
    record: present(row, version, flags),
    completeness: { filled: wanted.filter(({ value }) => !isBlank(value)).length, of: wanted.length },
    fields: values,
    targets: await lackingFields(db, version, (field) =>
      values.every(({ name, value }) => name !== field || isBlank(value)),
    ),
    flags: notesOf(row, version, flags),
    sources_gone: holders.flatMap(({ source_task_id, name, said }) =>
      said === null ? [{ source_task_id, name }] : [],
    ),
  }
}

type Filled = {
  said: CellValue | undefined
  filler: { task_id: number; name: string }
  number_format: NumberFormat | null
}

/** What the source that fills a field has; null: the same as the field, or unknown. */
const rawOf = (value: CellValue, { said, filler: { task_id, name }, number_format }: Filled) =>
  said === undefined || said === value ? null : { source_task_id: task_id, name, value: said, number_format }

/** The value of the first source that has one for a field. */
const firstOf = (holders: readonly { said: Said | null }[], field: number): CellValue =>
  holders.map(({ said }) => said?.[field] ?? null).find((value) => !isBlank(value)) ?? null

/** The code with its lost leading zeros, if one of the failed checks expects a check digit. */
const repairOf = (failures: readonly FieldCheck[], value: CellValue): string | null =>
  failures.reduce<string | null>(
    (found, check) => found ?? (check.kind === 'check_digit' ? repairedCode(value, check.code) : null),
    null,
  )

async function findRecord(
  db: Db,
  { rows_of, removed }: CompiledVersion,
  sku: string,
): Promise<BlockRecord | undefined> {
  const row_nos = await rowsOfSku(db, rows_of, sku)
  const [record] = await recordsAt(
    db,
    rows_of,
    row_nos.filter((row_no) => !hasRow(removed, row_no)),
  )
  return record
}

type Said = (CellValue | undefined)[]

/** Values of each source in its row, for the fields of which it has a column. Null if the row is unknown or was pruned. */
async function readSources(
  db: Db,
  { snapshot_id }: CompiledVersion,
  source_rows: number[],
): Promise<(Said | null)[]> {
  const { rows } = await sql<{ columns: (number | null)[]; cells: CellValue[] | null }>`
    select v.version -> 'columns' as columns, (
      select cells from snapshot_rows s
      where s.snapshot_id = (v.version ->> 'snapshot_id')::int and s.row_no = (${source_rows}::int[])[v.number]
    ) as cells
    from jsonb_array_elements((select source_versions from compiled_versions where snapshot_id = ${snapshot_id}))
      with ordinality as v (version, number)
    order by v.number`.execute(db)
  return rows.map(({ columns, cells }) =>
    cells === null ? null : columns.map((column) => (column === null ? undefined : (cells[column] ?? null))),
  )
}
