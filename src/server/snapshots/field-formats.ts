import { sql } from 'kysely'
import { z } from 'zod'
import { NumberFormat } from '../../contract/tables.ts'
import type { Db } from '../platform/db.ts'

const Formats = z.record(z.string(), NumberFormat)

/**
 * What a compile has merged of a numbered source: which version, in which of its columns each field is, and how that shows its
 * numbers, by the field's place.
 */
export type MergedVersion = {
  snapshot_id: number
  columns: (number | null)[]
  formats: z.infer<typeof Formats>
} | null

/** How compiled numbers are shown: as the source shows them that fills the field. */
export class FieldFormats {
  readonly #of: readonly z.infer<typeof Formats>[]

  /** By the numbers of the sources, which count from 1. */
  constructor(formats: readonly z.infer<typeof Formats>[]) {
    this.#of = formats
  }

  /** How a source shows the numbers of a field, by both their numbers, of which those of fields count from 0; null: as they are. */
  of(field: number, source: number): NumberFormat | null {
    return this.#of[source - 1]?.[field] ?? null
  }

  /** The fields of a record that are numbers with a format; `cells` begin with the SKU. */
  named(
    fields: readonly string[],
    { cells, field_sources }: { cells: readonly unknown[]; field_sources: Uint8Array },
  ): Record<string, NumberFormat> {
    if (this.#isEmpty) return {}
    return Object.fromEntries(
      fields.flatMap((name, n) => {
        const format = typeof cells[n + 1] === 'number' ? this.of(n, field_sources[n] ?? 0) : null
        return format ? [[name, format]] : []
      }),
    )
  }

  /** How a field is shown by the first source that shows its numbers in a way of its own; null: none does. */
  first(field: number): NumberFormat | null {
    return this.#of.find((formats) => formats[field])?.[field] ?? null
  }

  get #isEmpty(): boolean {
    return this.#of.every((formats) => Object.keys(formats).length === 0)
  }
}

/** The formats of the sources that a compiled version was merged from; none where they were not kept yet, or it is no compiled one. */
export async function readFieldFormats(db: Db, snapshot_id: number): Promise<FieldFormats> {
  const { rows } = await sql<{ formats: unknown }>`
    select coalesce(merged.version -> 'formats', '{}') as formats
    from compiled_versions v, jsonb_array_elements(v.source_versions) with ordinality as merged (version, number)
    where v.snapshot_id = ${snapshot_id} order by merged.number`.execute(db)
  return new FieldFormats(rows.map(({ formats }) => Formats.parse(formats)))
}
