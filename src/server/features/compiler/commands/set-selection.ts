import type { z } from 'zod'
import { limits } from '../../../../contract/limits.ts'
import type { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { typedValue } from '../../../../contract/overrides/overrides.ts'
import { overrideServerMessages as messages } from '../../../../contract/overrides/server-messages.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { countRows, rowNumbers } from '../../../snapshots/bit-sets.ts'
import { recordsAt } from '../../../snapshots/record-blocks.ts'
import { examplesOf } from '../queries/examples.ts'
import { findRecords } from '../queries/find-rows.ts'
import { fieldNamed, setOverrides } from './set-overrides.ts'

const RECORDS_AT_A_TIME = 2000

type Selection = z.output<typeof compilerOverrides.setSelection.body> & { config_id: number; zone: string }

/** Sets the value of a field for all records that match the filters, or the chosen ones of them. Throws as setOverrides does. */
export async function setSelection(
  db: Db,
  actor: Actor,
  { config_id, zone, filters, skus: chosen, field: name, value, reason, ends_on }: Selection,
): Promise<Awaited<ReturnType<typeof setOverrides>>> {
  const found = await findRecords(db, { ...filters, compiler_config_id: config_id })
  if (found === null)
    throw new NamedError('override_invalid', { field: 'field', message: messages.not_compiled })
  const { version, rows } = found
  const field = fieldNamed(version, name)
  if (field === null)
    throw new NamedError('override_invalid', { field: 'field', message: messages.field_unknown(name) })
  const count = countRows(rows)
  if (chosen === undefined && count >= limits.overrides_file_rows)
    throw new NamedError('override_invalid', { field: 'filters', message: messages.select_too_many })
  const examples = await examplesOf(db, version)
  const meant = typeof value === 'string' ? typedValue(value, examples(field)) : value
  const skus: string[] = []
  const wanted = new Set(chosen)
  for (
    let offset = 0;
    offset < count && (chosen === undefined || skus.length < wanted.size);
    offset += RECORDS_AT_A_TIME
  ) {
    const page = rowNumbers(rows, { offset, limit: RECORDS_AT_A_TIME })
    for (const { sku } of await recordsAt(db, version.rows_of, page))
      if (chosen === undefined || wanted.has(sku)) skus.push(sku)
  }
  const overrides = skus.map((sku) => ({ sku, field, value: meant, reason, ends_on }))
  return setOverrides(db, actor, { config_id, zone, overrides })
}
