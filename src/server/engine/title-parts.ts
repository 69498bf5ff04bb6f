import { sql } from 'kysely'
import type { z } from 'zod'
import type { TaskSheets } from '../../contract/titles/task-title.ts'

/** SQL for what the title of a run’s task is made from beside its name, as it was queued; null for runs that are not of sync tasks. */
export function titleParts(run: string) {
  const definition = sql.ref(`${run}.definition`)
  return sql<z.infer<typeof TaskSheets>>`case
    when ${sql.ref(`${run}.category`)} = 'sync' and ${definition} ? 'target_sheet_name' then jsonb_build_object(
      'source_sheet_name', coalesce(${definition} ->> 'source_sheet_name', ''),
      'target_sheet_name', ${definition} ->> 'target_sheet_name') end`
}
