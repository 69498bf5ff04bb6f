import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Row } from '../../../../contract/tables.ts'

/** Maximum number of recorded areas. Of older ones only the number of columns is kept. */
const MAX_AREAS = 10

/** Columns that a task owns, from the header row (counted from 1) to the bottom, and the content of that row. */
export const Area = z.object({
  start_row: z.int(),
  columns: z.int(),
  header: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Only in areas stored by earlier releases, which wrote in place: a late request may repeat such a write at any time. */
  late: z.boolean().optional(),
})
export type Area = { start_row: number; columns: number; header: Row; late?: boolean | undefined }

/** Size of the part of a former area above the table's current header row. */
export type RowsAbove = { rows: number; columns: number }

/** Rows above the header row that the task owned when its header row was further up. */
export const rowsAboveTable = (areas: readonly Area[], start_row: number): RowsAbove[] =>
  areas
    .filter((area) => area.start_row < start_row && area.columns > 0)
    .map((area) => ({ rows: start_row - area.start_row, columns: area.columns }))

/** Areas kept after a successful run: headers that a late request may restore, with no columns. */
export const withoutColumns = sql<string>`(
  select coalesce(jsonb_agg(distinct area || '{"columns": 0}'), '[]')
  from jsonb_array_elements(intended) area where area -> 'late' = 'true')`

/** Recorded areas with this one. */
export const withArea = (area: string): RawBuilder<string> => sql`case
  when exists (select from jsonb_array_elements(intended) known where known = ${area}::jsonb) then intended
  else case when jsonb_array_length(intended) < ${MAX_AREAS} then intended else intended - 0 end || ${area}::jsonb end`
