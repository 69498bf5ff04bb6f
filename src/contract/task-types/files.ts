import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id } from '../fields.ts'
import { limits } from '../limits.ts'

/** What an import answers once its file is stored: how it ends is read from its job. */
export const ImportStarted = z.object({ status: z.literal('started'), message: z.string(), job_id: Id })

/** A field of a form that is on or off; `fallback` where the form does not have it. */
const flag = (fallback: boolean) =>
  z._default(
    z.pipe(
      z.enum(['true', 'false']),
      z.transform((word) => word === 'true'),
    ),
    fallback,
  )

/** How an import of types is meant. */
const TypeImportOptions = z.strictObject({
  /** Off: types that exist are skipped with a warning. */
  overwrite_existing: flag(true),
  /** Off: a type with a cron expression that is none is imported unscheduled with a warning; on: its row is refused. */
  validate_cron: flag(true),
  /** On: types are active whatever the file says. */
  activate_imported: flag(false),
})

const CSV = 'text/csv; charset=utf-8'

/** The calls that take and give the task types of a category as CSV files. `filename` lacks when the file was made. */
const filesOf = ({ path, tasks, filename }: { path: string; tasks: string; filename: string }) =>
  ({
    importCsv: {
      method: 'POST',
      path: `${path}/import_csv`,
      summary: `Add and change types of ${tasks} as a CSV file says, in a job; a type is known by its name`,
      upload: { field: 'file', max_bytes: limits.csv_bytes },
      status: 202,
      reply: ImportStarted,
    },
    exportCsv: {
      method: 'GET',
      path: `${path}/export_csv`,
      summary: `All types of ${tasks} as CSV, which an import takes as it is; the header x-csv-job-id names the job`,
      download: { content_type: CSV, filename },
    },
  }) satisfies Calls

/** Files of sync task types. */
export const syncTaskTypeFiles = filesOf({
  path: '/api/sync_task_types',
  tasks: 'sync tasks',
  filename: 'sync_task_types_export.csv',
})

const ofSource = filesOf({
  path: '/api/source_task_types',
  tasks: 'source tasks',
  filename: 'source_task_types.csv',
})

/** Files of source task types. */
export const sourceTaskTypeFiles = {
  ...ofSource,
  importCsv: { ...ofSource.importCsv, upload: { ...ofSource.importCsv.upload, options: TypeImportOptions } },
} satisfies Calls
