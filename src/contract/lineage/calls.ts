import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { CellValue, NumberFormat } from '../tables.ts'
import { TaskCategory } from '../tasks/schemas.ts'
import { lineageFieldMessages as messages } from './field-messages.ts'

const id = IdParams.shape.id

/** A cell: by its link, by task, row and column of stored rows, or by configuration, SKU and field of a compiled record. */
export const CellQuery = z
  .strictObject({
    /** Link to a cell of a spreadsheet, with `#gid=` and `range=`. */
    link: z.optional(z.string().check(z.trim(), z.maxLength(limits.url_characters, messages.link_long))),
    /** Of a sync or source task: rows count from 1, without the header. */
    task_id: z.optional(id),
    row: z.optional(digits('row', 1, limits.start_row_max)),
    /** Name of a column; default: the first one. With a link another cell of its row. */
    column: z.optional(z.string().check(z.maxLength(limits.field_name_characters))),
    compiler_config_id: z.optional(id),
    sku: z.optional(z.string().check(z.maxLength(limits.field_name_characters))),
    /** Name of a field; default: the SKU. */
    field: z.optional(z.string().check(z.maxLength(limits.field_name_characters))),
    /** `true`: also read the cell from its spreadsheet, and say whether it was edited since. */
    check: z.optional(z.enum(['true', 'false'])),
  })
  .check(
    z.refine(
      ({ link, task_id, compiler_config_id }) =>
        [link, task_id, compiler_config_id].filter((one) => one !== undefined).length === 1,
      messages.one_way,
    ),
    z.refine(({ task_id, row }) => (task_id === undefined) === (row === undefined), messages.row_wanted),
    z.refine(
      ({ compiler_config_id, sku }) => (compiler_config_id === undefined) === (sku === undefined),
      messages.sku_wanted,
    ),
  )
export type CellQuery = z.output<typeof CellQuery>

const TaskOf = z.object({
  category: TaskCategory,
  /** Of a compile the id of its configuration. */
  id: Id,
  name: z.string(),
})

const RunOf = z.object({ id: Id, at: Moment })

/** The place of a value in a source outside Rowferry, or in stored rows. */
export const CellPlace = z.object({
  kind: z.enum(['sheet', 'api', 'database', 'records', 'rows']),
  /** For people, such as "B7 of ‘Products’ in ‘Catalogue’". */
  text: z.string(),
  /** Row of the sheet, item of the reply, row of the statement's result or of the stored rows, counted from 1. */
  row: z.int(),
  /** Address of the cell in its spreadsheet; null: it is in none. */
  link: z.nullable(z.string()),
})
export type CellPlace = z.infer<typeof CellPlace>

/** What a source has for a field of a record. */
export const SourceValue = z.object({
  task_id: Id,
  name: z.string(),
  /** `chosen`: fills the field. `gone`: its rows are no longer kept. */
  state: z.enum(['chosen', 'value', 'blank', 'no_column', 'no_row', 'gone']),
  value: CellValue,
  /** The same as text, dates and times in ISO 8601; blank: it is blank. */
  value_text: z.string(),
  number_format: z.nullable(NumberFormat),
  place: z.nullable(CellPlace),
})
export type SourceValue = z.infer<typeof SourceValue>

/** A step on the way of a value, from the target to its origin. */
export const LineageStep = z.object({
  kind: z.enum(['sheet', 'rows', 'record']),
  text: z.string(),
  task: z.nullable(TaskOf),
  /** The run that read or compiled the value. */
  run: z.nullable(RunOf),
  place: z.nullable(CellPlace),
  /** Of compiled records. */
  record: z.nullable(
    z.object({
      sku: z.string(),
      field: z.string(),
      /** Why the value is that of this source. */
      rule: z.string(),
      /** In their order of precedence. */
      sources: z.array(SourceValue),
    }),
  ),
  /** What is not certain. */
  notes: z.array(z.string()),
})
export type LineageStep = z.infer<typeof LineageStep>

/** The cell of a target, as the last successful run of its task left it. */
export const WrittenCell = z.object({
  task: TaskOf,
  /** `outside`: in a column that the task does not write. */
  state: z.enum(['value', 'header', 'above', 'below', 'outside', 'not_run']),
  text: z.string(),
  column: z.nullable(z.string()),
  value: CellValue,
  /** The same as text, dates and times in ISO 8601; blank: it is blank. */
  value_text: z.string(),
  number_format: z.nullable(NumberFormat),
  /** The last successful run. */
  run: z.nullable(RunOf),
  /** Since which run the cell has its value; `is_exact` false: at least since that run, earlier versions are no longer kept. */
  since: z.nullable(
    z.object({
      run_id: Id,
      at: Moment,
      is_exact: z.boolean(),
      /** The value before; null also if `is_exact` is false. */
      former: CellValue,
      former_text: z.string(),
    }),
  ),
  /** Null: not asked for. */
  edited: z.nullable(z.object({ is_edited: z.nullable(z.boolean()), text: z.string() })),
})
export type WrittenCell = z.infer<typeof WrittenCell>

/** Where a row of a source ends up. */
export const LineageUse = z.object({
  kind: z.enum(['rows', 'record', 'target']),
  text: z.string(),
  task: TaskOf,
  record: z.nullable(z.object({ sku: z.string(), field: z.string() })),
  link: z.nullable(z.string()),
})
export type LineageUse = z.infer<typeof LineageUse>

/** Where a cell comes from, and where it goes. */
export const Lineage = z.object({
  title: z.string(),
  /** Address of the cell in its spreadsheet; null: it is in none. */
  link: z.nullable(z.string()),
  /** How the question was read. */
  notes: z.array(z.string()),
  written: z.nullable(WrittenCell),
  steps: z.array(LineageStep),
  uses: z.array(LineageUse),
  /** More uses than are listed. */
  has_more_uses: z.boolean(),
  /** Cells of the same row, by column; null: there are none to choose from. */
  row: z.nullable(z.object({ columns: z.array(z.string()), column: z.string() })),
})
export type Lineage = z.infer<typeof Lineage>

/** API calls for the lineage of cells. */
export const lineage = {
  find: {
    method: 'GET',
    path: '/api/lineage',
    summary:
      'Where the value of a cell comes from: the run that wrote it, since when it stands there, the rule of the compile and the cell of the source; of a source’s cell the records and targets that it ends up in',
    query: CellQuery,
    reply: Lineage,
  },
} satisfies Calls
