import { z } from 'zod'
import { FormatRuns } from '../../../snapshots/column-format.ts'
import { CsvTargetSettings } from '../../csv-target-settings.ts'

const File = z.object({ path: z.string(), name: z.string(), exists: z.boolean() })

/** A table of a target file. `start`: its header row, counted from 0; `tab`: null in a CSV file. */
const Table = z.object({
  file: File,
  start: z.int(),
  exists: z.boolean(),
  tab: z.object({ id: z.string(), name: z.string() }).nullable(),
  csv: CsvTargetSettings,
})
export type JobTable = z.infer<typeof Table>

/**
 * Work on a target file in a process of its own. `find`: the tab that a reference means; the others read or write a table. The rows to
 * write follow as lines, each an array of them, and `null` at the end.
 */
export const TargetJob = z.discriminatedUnion('work', [
  z.object({
    work: z.literal('find'),
    ...{ file: File, place: z.string().nullable(), sheet_name: z.string(), start: z.int() },
  }),
  z.object({ work: z.literal('rows'), table: Table, columns: z.int() }),
  /** `rows`: bits of a set of rows, in base64. */
  z.object({ work: z.literal('beside'), table: Table, columns: z.int(), rows: z.string() }),
  z.object({ work: z.literal('formats'), table: Table, columns: z.array(z.int()), rows: z.int() }),
  z.object({
    work: z.literal('write'),
    table: Table,
    out: z.string(),
    columns: z.int(),
    area: z.object({ top: z.int(), left: z.int(), bottom: z.int(), right: z.int() }),
  }),
])
export type TargetJob = z.infer<typeof TargetJob>

/** The tab that was found; null: it has to be created. */
export const FoundTab = z.object({
  found: z.object({ id: z.string(), name: z.string(), warnings: z.array(z.string()) }).nullable(),
})

/** Cells of the rows that follow which are formulas, as row and column. */
export const FormulaCells = z.object({ formulas: z.array(z.tuple([z.int(), z.int()])) })

export const TabFormats = z.object({ formats: z.array(z.tuple([z.int(), FormatRuns])) })

/** The last line of a job, which is an object; data lines are arrays. */
export const JobEnd = z.object({ ended: z.literal(true) })
