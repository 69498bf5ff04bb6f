import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../platform/db.ts'
import { hasRow, rowOutside } from '../../../snapshots/bit-sets.ts'
import { type FieldFormats, readFieldFormats } from '../../../snapshots/field-formats.ts'
import { type BlockRecord, recordsAt, rowsOfSku } from '../../../snapshots/record-blocks.ts'
import { readVersion, type StoredVersion } from './stored-version.ts'

/** What a compile read of a source; null: nothing, the source was not merged. */
const Merged = z.nullable(z.object({ snapshot_id: z.int(), columns: z.array(z.nullable(z.int())) }))

/** A version of compiled records. The first name of `names` is SKU, the others are the fields. */
export type CompiledVersion = StoredVersion & {
  /** By number, counted from 1. */
  sources: { task_id: number; name: string }[]
  merged: z.infer<typeof Merged>[]
  field_formats: FieldFormats
}

/** Null if the version is no longer stored, or has no compiled records. */
export const readCompiled = async (db: Db, id: number | null): Promise<CompiledVersion | null> =>
  compiledOf(db, await readVersion(db, id))

/** The same for a version that has been read. */
export async function compiledOf(db: Db, version: StoredVersion | null): Promise<CompiledVersion | null> {
  if (version?.kind !== 'compiled') return null
  const { rows } = await sql<{ sources: CompiledVersion['sources']; source_versions: unknown }>`
    select sources, source_versions from compiled_versions where snapshot_id = ${version.id}`.execute(db)
  const [compiled] = rows
  if (compiled === undefined) return null
  return {
    ...version,
    sources: compiled.sources,
    merged: z.array(Merged).catch([]).parse(compiled.source_versions),
    field_formats: await readFieldFormats(db, version.id),
  }
}

/** The record with this SKU; null if there is none. */
export async function recordOfSku(
  db: Db,
  { rows_of, removed }: Pick<CompiledVersion, 'rows_of' | 'removed'>,
  sku: string,
): Promise<BlockRecord | null> {
  const row_nos = await rowsOfSku(db, rows_of, sku)
  const [record] = await recordsAt(
    db,
    rows_of,
    row_nos.filter((row_no) => !hasRow(removed, row_no)),
  )
  return record ?? null
}

/** The record in a place, counted from 1 without removed records; null if there are fewer. */
export async function recordInPlace(
  db: Db,
  { rows_of, removed }: Pick<CompiledVersion, 'rows_of' | 'removed'>,
  place: number,
): Promise<BlockRecord | null> {
  const [record] = await recordsAt(db, rows_of, [rowOutside(removed, place)])
  return record ?? null
}

/** The place of a row among those that were not removed, counted from 1. */
export function placeOf({ removed }: Pick<CompiledVersion, 'removed'>, row_no: number): number {
  let before = 0
  for (let row = 1; row < row_no && row <= removed.length * 8; row += 1) if (hasRow(removed, row)) before += 1
  return row_no - before
}

/** Column of a source for a column of the records; null: it has none. Column 0 is the SKU. */
export function sourceColumn(
  { columns }: NonNullable<CompiledVersion['merged'][number]>,
  column: number,
): number | null {
  if (column > 0) return columns[column - 1] ?? null
  // All other columns of a source are fields.
  const fields = new Set(columns)
  for (let index = 0; ; index += 1) if (!fields.has(index)) return index
}
