import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Row } from '../../../../contract/tables.ts'
import type { RunContext } from '../../../engine/types.ts'

/** Attempts whose writes are told apart; of earlier ones only the number of columns is known. */
const KEPT_ATTEMPTS = 10

/** Columns that are a task's, from a header row (counted from 1) to the bottom, and what that row says. */
export const Area = z.object({
  start_row: z.int(),
  columns: z.int(),
  header: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Only in areas stored by earlier releases, which could write in place: such a write may be applied again at any later time. */
  late: z.boolean().optional(),
})
export type Area = { start_row: number; columns: number; header: Row; late?: boolean | undefined }

/** Rows above the table, as many and as wide as an area reaches beyond it. */
export type FormerRows = { rows: number; columns: number }

/** Rows above the header row that were the task's when it began further up. */
export const formerRows = (areas: readonly Area[], start_row: number): FormerRows[] =>
  areas
    .filter((area) => area.start_row < start_row && area.columns > 0)
    .map((area) => ({ rows: start_row - area.start_row, columns: area.columns }))

/** What the run is about to write is its task's from now on, even if the run does not live to say so at its end. */
export async function recordArea(context: RunContext, area: Area): Promise<void> {
  await context.transaction((trx) =>
    trx
      .updateTable('sync_tasks')
      .set({
        owned_columns: sql<number>`greatest(owned_columns, ${area.columns})`,
        intended: withArea(JSON.stringify(area)),
      })
      .where('task_id', '=', context.run.task_id)
      .execute(),
  )
}

/** What stays on record when a run has ended well: headers that may come back, without their columns. */
export const withoutColumns = sql<string>`(
  select coalesce(jsonb_agg(distinct area || '{"columns": 0}'), '[]')
  from jsonb_array_elements(intended) area where area -> 'late' = 'true')`

const withArea = (area: string): RawBuilder<string> => sql`case
  when exists (select from jsonb_array_elements(intended) known where known = ${area}::jsonb) then intended
  else case when jsonb_array_length(intended) < ${KEPT_ATTEMPTS} then intended else intended - 0 end || ${area}::jsonb end`
