import { hash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Completeness, RowSettings } from '../../contract/rows/row-settings.ts'
import type { Db } from '../platform/db.ts'
import { type BitSet, hasRow } from './bit-sets.ts'
import { findColumn, plainName } from './column-names.ts'
import { fieldSources } from './record-blocks.ts'
import { RowSet } from './row-set.ts'

const SKU = 'SKU'

/** A sync task for which the records of a configuration must have certain fields. */
export type CompletenessTarget = {
  task_id: number
  name: string
  compiler_config_id: number
  only_complete: boolean
  settings: Completeness
  columns: RowSettings['columns']
  include_new_columns: boolean
  excluded_fields: string[]
}

/** The targets of a configuration whose completeness is measured, by name; of all configurations with null. */
export async function completenessTargets(db: Db, config_id: number | null): Promise<CompletenessTarget[]> {
  const { rows } = await sql<Omit<CompletenessTarget, 'only_complete'>>`
    select s.task_id, t.name, s.source_compiler_config_id as compiler_config_id, s.completeness as settings, s.columns,
      s.include_new_columns, coalesce(p.excluded_fields, '{}') as excluded_fields
    from sync_tasks s join tasks t on t.id = s.task_id left join sync_presets p on p.id = s.sync_preset_id
    where s.completeness is not null and s.source_type = 'internal'
      and (${config_id}::int is null or s.source_compiler_config_id = ${config_id}::int)
    order by t.name, t.id`.execute(db)
  return rows.map((row) => ({ ...row, only_complete: row.settings.only_complete }))
}

/** The fields that a target needs: those that its settings name, or those of its header. */
export function requiredFields(
  fields: readonly string[],
  {
    settings,
    columns,
    include_new_columns,
    excluded_fields,
  }: Omit<CompletenessTarget, 'task_id' | 'name' | 'compiler_config_id' | 'only_complete'>,
): string[] {
  const nameOf = (name: string) => fields[findColumn(fields, name)] ?? name
  if (settings.fields !== null) return settings.fields.map(nameOf)
  const excluded = new Set(excluded_fields.map(plainName))
  const chosen = columns?.map(({ source }) => nameOf(source))
  const copied = chosen
    ? [...chosen, ...(include_new_columns ? fields.filter((name) => !chosen.includes(name)) : [])]
    : fields
  return copied.filter((name) => name !== SKU && !excluded.has(plainName(name)))
}

/** How many records of a version have all fields that are needed, and which lack one. */
type Measured = {
  complete: number
  /** For each field that some records lack, the number of these, largest first. */
  missing: { field: string; records: number }[]
  incomplete: BitSet
}

type Version = {
  snapshot_id: number
  rows_of: number
  removed: BitSet
  row_count: number
  fields: readonly string[]
}

/** Measures the records of a version for lists of needed fields, and keeps the results. Fields that no source has are blank in all records. */
export async function measureCompleteness(
  db: Db,
  version: Version,
  needed: readonly (readonly string[])[],
): Promise<Measured[]> {
  const { rows } = await sql<Measured & { fields_hash: string }>`
    select fields_hash, complete, missing, incomplete from compiled_completeness where snapshot_id = ${version.snapshot_id}`.execute(
    db,
  )
  const known = new Map(rows.map(({ fields_hash, ...measured }) => [fields_hash, measured]))
  const unknown = needed.filter((fields) => !known.has(hashOf(fields)))
  if (unknown.length > 0)
    for (const [n, measured] of (await measure(db, version, unknown)).entries()) {
      const fields_hash = hashOf(unknown[n] ?? [])
      known.set(fields_hash, measured)
      await sql`
        insert into compiled_completeness (snapshot_id, fields_hash, complete, missing, incomplete)
        select ${version.snapshot_id}::int, ${fields_hash}, ${measured.complete}::int, ${JSON.stringify(measured.missing)}::jsonb,
          ${Buffer.from(measured.incomplete)}
        where exists (select from compiled_versions where snapshot_id = ${version.snapshot_id}) on conflict do nothing`.execute(
        db,
      )
    }
  return needed.map((fields) => known.get(hashOf(fields)) ?? NONE)
}

const NONE: Measured = { complete: 0, missing: [], incomplete: new Uint8Array() }

const hashOf = (fields: readonly string[]) => hash('md5', JSON.stringify(fields))

async function measure(
  db: Db,
  { rows_of, removed, row_count, fields }: Version,
  lists: readonly (readonly string[])[],
): Promise<Measured[]> {
  const all = lists.map((list) => ({
    places: list.map((name) => fields.indexOf(name)),
    blanks: new Int32Array(list.length),
    incomplete: new RowSet(),
  }))
  for await (const { first_row, size, field_sources } of fieldSources(db, rows_of)) {
    for (let n = 0; n < size; n += 1) {
      if (hasRow(removed, first_row + n)) continue
      for (const { places, blanks, incomplete } of all)
        for (let at = 0; at < places.length; at += 1) {
          const field = places[at] ?? -1
          // Unchanged records of earlier versions have no entry for fields that were added later.
          if (field >= 0 && (field_sources[field * size + n] ?? 0) > 0) continue
          blanks[at] = (blanks[at] ?? 0) + 1
          incomplete.add(first_row + n - 1)
        }
    }
    await yieldToEventLoop()
  }
  return all.map(({ blanks, incomplete }, n) => ({
    complete: row_count - incomplete.size,
    missing: (lists[n] ?? [])
      .map((field, at) => ({ field, records: blanks[at] ?? 0 }))
      .filter(({ records }) => records > 0)
      .sort((a, b) => b.records - a.records),
    incomplete: incomplete.bits,
  }))
}
