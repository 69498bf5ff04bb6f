import { sql } from 'kysely'
import { z } from 'zod'
import { NumberFormat } from '../../contract/tables.ts'
import type { Db } from '../platform/db.ts'
import { FormatRuns, formatAt, type StoredFormat } from './column-format.ts'

const Formats = z.record(z.string(), NumberFormat)
const Runs = z.record(z.string(), FormatRuns)

/**
 * What a compile has merged of a numbered source: which version, in which of its columns each field is, and how that shows its
 * numbers, by the field's place.
 */
export type MergedVersion = {
  snapshot_id: number
  columns: (number | null)[]
  formats: z.infer<typeof Formats>
  /** Of columns whose cells have different formats. */
  runs: z.infer<typeof Runs>
} | null

/** How a source shows a field, null where it has no column for it. */
type SourceField = StoredFormat | null

/** A record, as far as its formats depend on it; `source_rows` is empty where the rows are not known, which then have the format of most. */
type Filled = {
  cells: readonly unknown[]
  field_sources: Uint8Array
  source_rows: readonly number[]
}

/** How compiled numbers are shown: as the source shows them that fills the field, in the row that the record was merged from. */
export class FieldFormats {
  readonly #sources: readonly SourceField[][]

  /** By the numbers of the sources, which count from 1. */
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

  /** How a source shows the numbers of a field in one of its rows, by both their numbers, of which those of fields count from 0; null: as they are. */
  of(field: number, source: number, row: number): NumberFormat | null {
    const shown = this.#sources[source - 1]?.[field]
    return shown ? formatAt(shown, row) : null
  }

  /** How the number is shown that fills a field. */
  ofField(field: number, { field_sources, source_rows }: Omit<Filled, 'cells'>): NumberFormat | null {
    const source = field_sources[field] ?? 0
    return this.of(field, source, source_rows[source - 1] ?? 0)
  }

  /** The fields of a record that are numbers with a format; `cells` begin with the SKU. */
  named(fields: readonly string[], record: Filled): Record<string, NumberFormat> {
    if (this.#isEmpty) return {}
    return Object.fromEntries(
      fields.flatMap((name, n) => {
        const format = typeof record.cells[n + 1] === 'number' ? this.ofField(n, record) : null
        return format ? [[name, format]] : []
      }),
    )
  }

  /** How a field is shown by the first source that shows its numbers in a way of its own; null: none does. */
  first(field: number): NumberFormat | null {
    return this.#sources.find((fields) => fields[field]?.format)?.[field]?.format ?? null
  }

  /** Whether the numbers of a field may be shown in different ways. */
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

/** The formats of the sources that a compiled version was merged from; none where they were not kept yet, or it is no compiled one. */
export async function readFieldFormats(db: Db, snapshot_id: number): Promise<FieldFormats> {
  const { rows } = await sql<{ version: unknown }>`
    select merged.version
    from compiled_versions v, jsonb_array_elements(v.source_versions) with ordinality as merged (version, number)
    where v.snapshot_id = ${snapshot_id} order by merged.number`.execute(db)
  return FieldFormats.of(rows.map(({ version }) => Stored.nullable().parse(version)))
}
