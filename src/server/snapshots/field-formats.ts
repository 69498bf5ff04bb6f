import { sql } from 'kysely'
import { z } from 'zod'
import { NumberFormat } from '../../contract/tables.ts'
import type { Db } from '../platform/db.ts'
import { FormatRuns, formatAt, type StoredFormat } from './column-format.ts'

const Formats = z.record(z.string(), NumberFormat)
const Runs = z.record(z.string(), FormatRuns)

/** What a compile read of a numbered source: the version, the column of each field, and number formats by the field's index. */
export type MergedVersion = {
  snapshot_id: number
  columns: (number | null)[]
  formats: z.infer<typeof Formats>
  /** Only for columns with several formats. */
  runs: z.infer<typeof Runs>
} | null

/** The format of a field in a source; null: the source has no such column. */
type SourceField = StoredFormat | null

/** The parts of a record that determine its formats. `source_rows` empty: unknown; the format of most cells then applies. */
type Filled = {
  cells: readonly unknown[]
  field_sources: Uint8Array
  source_rows: readonly number[]
}

/** Number formats of compiled records: a field has the format of the source cell that fills it. */
export class FieldFormats {
  readonly #sources: readonly SourceField[][]

  /** `sources`: formats by source number, counted from 1, and field index. */
  constructor(sources: readonly SourceField[][]) {
    this.#sources = sources
  }

  static of(versions: readonly (Omit<NonNullable<MergedVersion>, 'snapshot_id'> | null)[]): FieldFormats {
    return new FieldFormats(
      versions.map((version) =>
        (version?.columns ?? []).map((column, n) =>
          column === null ? null : { format: version?.formats[n] ?? null, runs: version?.runs[n] ?? null },
        ),
      ),
    )
  }

  /** The format of a field (by index) in a row of a source (by number); null: automatic. */
  of(field: number, source: number, row: number): NumberFormat | null {
    const shown = this.#sources[source - 1]?.[field]
    return shown ? formatAt(shown, row) : null
  }

  /** The format of a field in a record. */
  ofField(field: number, { field_sources, source_rows }: Omit<Filled, 'cells'>): NumberFormat | null {
    const source = field_sources[field] ?? 0
    return this.of(field, source, source_rows[source - 1] ?? 0)
  }

  /** The formats of a record's numbers by field name. `cells` start with the SKU. */
  named(fields: readonly string[], record: Filled): Record<string, NumberFormat> {
    if (this.#isEmpty) return {}
    return Object.fromEntries(
      fields.flatMap((name, n) => {
        const format = typeof record.cells[n + 1] === 'number' ? this.ofField(n, record) : null
        return format ? [[name, format]] : []
      }),
    )
  }

  /** The format of a field in the first source that has one; null: none has. */
  first(field: number): NumberFormat | null {
    return this.#sources.find((fields) => fields[field]?.format)?.[field]?.format ?? null
  }

  /** Whether records may have different formats in a field. */
  isMixed(field: number): boolean {
    const shown = this.#sources.flatMap((fields) => fields[field] ?? [])
    return (
      shown.some(({ runs }) => runs !== null) ||
      new Set(shown.map(({ format }) => JSON.stringify(format))).size > 1
    )
  }

  get #isEmpty(): boolean {
    return this.#sources.every((fields) => fields.every((shown) => !shown?.format && !shown?.runs))
  }
}

const Stored = z.object({
  columns: z.array(z.nullable(z.int())).default([]),
  formats: Formats.default({}),
  runs: Runs.default({}),
})

/** The formats of a compiled version; none if an older release compiled it, or if it is no compiled version. */
export async function readFieldFormats(db: Db, snapshot_id: number): Promise<FieldFormats> {
  const { rows } = await sql<{ version: unknown }>`
    select merged.version
    from compiled_versions v, jsonb_array_elements(v.source_versions) with ordinality as merged (version, number)
    where v.snapshot_id = ${snapshot_id} order by merged.number`.execute(db)
  return FieldFormats.of(rows.map(({ version }) => Stored.nullable().parse(version)))
}
