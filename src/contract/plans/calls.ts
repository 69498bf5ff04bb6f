import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id, IdParams, Moment, SpreadsheetId } from '../fields.ts'
import { limits } from '../limits.ts'
import { RunState } from '../runs/status.ts'
import { RunOutcome, WaitQuery } from '../runs/wait-for-run.ts'
import { CellValue } from '../tables.ts'
import { ActionReply } from '../tasks/schemas.ts'
import { TaskSheets } from '../titles/task-title.ts'
import { PlanHash } from './apply.ts'
import { planMessages } from './client-messages.ts'
import { readRanges } from './run-ranges.ts'

/**
 * What happens to a row of the target. Rows are the same by content, by the key columns of the task, else its unique column, else the SKU
 * of compiled records, and last if they keep their place and most of their cells. `moved`: the same cells in another place.
 */
export const RowChangeKind = z.enum(['removed', 'changed', 'added', 'moved'])
export type RowChangeKind = z.infer<typeof RowChangeKind>

/** A column whose header differs. Columns are named as in the target, such as B. */
const HeaderChange = z.object({
  kind: z.enum(['added', 'removed', 'changed']),
  column: z.string(),
  old: z.string(),
  new: z.string(),
})

/** A column whose number format changes, such as from 0.00 to yyyy-mm-dd; `old` is null if it is not known. */
export const FormatChange = z.object({
  column: z.string(),
  header: z.string(),
  old: z.nullable(z.string()),
  new: z.string(),
})
export type FormatChange = z.infer<typeof FormatChange>

/** Cells that the task does not own and would overwrite, so that a run is refused until a user accepts that. */
export const OverwrittenCells = z.object({
  /** `extra_columns`: in columns that no run has written. `header_moved`: down, because rows were inserted above it. */
  kind: z.enum(['extra_columns', 'columns_moved', 'header_moved']),
  cells: z.int(),
  columns: z.array(z.object({ column: z.string(), header: z.string() })),
})
export type OverwrittenCells = z.infer<typeof OverwrittenCells>

/** Cells right of the task's columns in rows that leave their place: they stay, and end up beside another row. */
export const CellsBeside = z.object({
  cells: z.int(),
  rows: z.int(),
  columns: z.array(z.object({ column: z.string(), header: z.string() })),
})
export type CellsBeside = z.infer<typeof CellsBeside>

/** A sentence of a summary. `danger`: data of the target is lost. */
export const SummaryLine = z.object({ level: z.enum(['danger', 'change', 'note']), text: z.string() })
export type SummaryLine = z.infer<typeof SummaryLine>

/** What a plan changes. Rows do not include the header. */
export const PlanSummary = z.object({
  /** The target was empty. */
  is_first: z.boolean(),
  rows: z.object({
    former: z.int(),
    wanted: z.int(),
    removed: z.int(),
    changed: z.int(),
    added: z.int(),
    moved: z.int(),
  }),
  cells: z.object({
    /** In rows that stay, compared with the same row. */
    changed: z.int(),
    /** Of those, cells that lose their value. */
    emptied: z.int(),
    /** Cells that differ at their address: what is written. */
    written: z.int(),
  }),
  headers: z.array(HeaderChange),
  /** Columns with emptied cells, most cells first. */
  emptied_columns: z.array(z.object({ column: z.string(), header: z.string(), cells: z.int() })),
  /** Number of columns whose number format changes; plans of earlier versions do not name them. */
  formats: z.int(),
  format_changes: z._default(z.array(FormatChange), []),
  unowned: z._default(z.nullable(OverwrittenCells), null),
  /** Null also in plans of runs, which do not look for such cells. */
  beside: z._default(z.nullable(CellsBeside), null),
  /** Expected cost of applying it; null: unknown, because no run of the task has succeeded. */
  requests: z.nullable(z.int()),
  seconds: z.nullable(z.number()),
  /** At most twelve sentences, dangers first. */
  lines: z.array(SummaryLine),
})
export type PlanSummary = z.infer<typeof PlanSummary>

/** What a target held before (`former`) or after (`wanted`) a run. */
export const VersionSide = z.enum(['former', 'wanted'])

/** The version that a plan restores. */
const Restored = z.object({
  run_id: Id,
  side: VersionSide,
  /** Cells that were edited since and are kept, and addresses of at most the first hundred. */
  kept: z.object({ cells: z.int(), addresses: z.array(z.string()) }),
  /** Cells of rows that were deleted since and stay deleted. */
  deleted_cells: z.int(),
})

/** A tab of a split task in a plan. `cleared`: no rows are left in it. */
export const PlannedTab = z.object({
  /** The value that its rows have in the column by which the task splits. */
  value: z.string(),
  sheet_name: z.string(),
  /** Address of the tab, for links. */
  tab_id: z.string(),
  change: z.enum(['created', 'cleared', 'changed', 'unchanged']),
  rows: PlanSummary.shape.rows,
  /** Cells that differ at their address. */
  cells_written: z.int(),
})
export type PlannedTab = z.infer<typeof PlannedTab>

/** What a run would change in its target, or has changed. */
export const Plan = z.object({
  /** Identifies it. */
  hash: z.string(),
  task_id: Id,
  task_name: z.string(),
  run_id: Id,
  created_at: Moment,
  /** Until then it can be applied; null: a run has applied it already. */
  expires_at: z.nullable(Moment),
  /** The version that it restores; null: its rows are those of the source. */
  restores: z.nullable(Restored),
  /** `outdated`: the target has changed since. `applied`: by the run that made it, or by a later one. */
  state: z.enum(['open', 'outdated', 'expired', 'applied']),
  /** The newest run that was started to write the plan of a preview. */
  applied_by: z.nullable(z.object({ run_id: Id, state: RunState })),
  /** Addresses of the target's tab and of its first data row, for links; null if the provider has none. */
  target: z.object({ title: z.string(), spreadsheet_id: z.string(), tab_id: z.string(), start_row: z.int() }),
  /** The tabs of a split task, which the summary is about all together; other tasks have none. */
  tabs: z.array(PlannedTab),
  summary: PlanSummary,
})
export type Plan = z.infer<typeof Plan>

/** A row of a plan. Rows are numbered as in the target. */
export const PlanRow = z.object({
  position: z.int(),
  /** Value of its tab, as in `tabs` of the plan; null: the task has one tab. */
  tab: z.nullable(z.string()),
  kind: RowChangeKind,
  /** Where it stood; null: it is added. */
  old_row: z.nullable(z.int()),
  /** Where it will stand; null: it is removed. */
  new_row: z.nullable(z.int()),
  old_cells: z.array(CellValue),
  new_cells: z.array(CellValue),
})
export type PlanRow = z.infer<typeof PlanRow>

/** A page of a plan's rows. `columns`: letters and headers, former and new. */
export const PlanPage = z.object({
  columns: z.array(z.object({ column: z.string(), old_header: z.string(), new_header: z.string() })),
  rows: z.array(PlanRow),
  /** Rows that the filters select. */
  total: z.int(),
  /** Position after which the next page begins; null on the last page. */
  next: z.nullable(z.int()),
})
export type PlanPage = z.infer<typeof PlanPage>

/** Reply of a preview; `plan` and `run` are set if the call waited for it. */
export const PreviewReply = z.extend(ActionReply, {
  run_id: Id,
  run: z.optional(RunOutcome),
  plan: z.nullable(Plan),
})
export type PreviewReply = z.infer<typeof PreviewReply>

/** Tasks that are previewed together: exactly one of the fields is set. Types, spreadsheets and `all` stand for their active tasks. */
const PreviewsBody = z
  .strictObject({
    ids: z.optional(
      z
        .array(Id)
        .check(z.minLength(1), z.maxLength(limits.previews_max, planMessages.too_many(limits.previews_max))),
    ),
    sync_task_type_id: z.optional(Id),
    target_spreadsheet_id: z.optional(SpreadsheetId),
    all: z.optional(z.literal(true)),
  })
  .check(
    z.superRefine((body, context) => {
      if (Object.values(body).filter((value) => value !== undefined).length !== 1)
        context.addIssue({ code: 'custom', path: ['ids'], message: planMessages.one_selection })
    }),
  )
export type PreviewsBody = z.output<typeof PreviewsBody>

/** Ids of runs as `writeRanges` gives them. */
const RunRanges = z.string().check(
  z.maxLength(limits.previews_max * 11),
  z.refine((text) => readRanges(text) !== null, planMessages.run_ranges(limits.previews_max)),
)

const PreviewsReply = z.extend(ActionReply, {
  /** The previews for `GET /api/previews`; blank: none was started. */
  runs: z.string(),
  previews: z.array(z.object({ task_id: Id, run_id: Id })),
  /** Tasks that have no preview, with the reason. */
  skipped: z.array(z.object({ id: Id, message: z.string() })),
})
export type PreviewsReply = z.infer<typeof PreviewsReply>

/** A preview with its plan; null: it is not over, or did not end well. `task` is null if the task was deleted. */
const Preview = z.object({
  run_id: Id,
  task: z.nullable(z.object({ id: Id, name: z.string(), sheets: TaskSheets })),
  task_name: z.string(),
  state: RunState,
  error: z.nullable(z.string()),
  plan: z.nullable(Plan),
})
export type Preview = z.infer<typeof Preview>

/** A change of a target by a run, which can be undone and restored. */
export const Version = z.object({
  /** Identifies it. */
  run_id: Id,
  changed_at: Moment,
  /** What started the run. */
  trigger: z.string(),
  /** Data rows of the target after the run. */
  rows: z.int(),
  cells_changed: z.int(),
  /** What the run changed; null: it was too large to be summarised when it ended. The plan of the run has it. */
  summary: z.nullable(PlanSummary),
  /** The version that the run restored; null: it wrote the rows of the source. */
  restores: z.nullable(z.pick(Restored, { run_id: true, side: true })),
  /** Space that only this version takes in the database; null: not measured yet. */
  bytes: z.nullable(z.int()),
})
export type Version = z.infer<typeof Version>

export const Versions = z.object({
  /** Newest first. The first one can be undone. */
  versions: z.array(Version),
  /** Space that the measured versions of this task take. New rows are measured every ten minutes. */
  bytes: z.int(),
  /** At most so many versions are kept per task, for so many days, and in this space for all tasks. */
  limits: z.object({ per_task: z.int(), days: z.int(), bytes: z.int() }),
})
export type Versions = z.infer<typeof Versions>

/** `overwrite_edits`: also cells that were edited since lose their value. */
const RestoreBody = z.optional(z.strictObject({ overwrite_edits: z._default(z.boolean(), false) }))

const HashParams = z.object({ hash: PlanHash })

/** API calls for plans. */
export const plans = {
  previewMany: {
    method: 'POST',
    path: '/api/previews',
    summary: `Preview several sync tasks: those with the given ids, or the active ones of a type or of a target spreadsheet, or all active ones; at most ${limits.previews_max}`,
    needs: 'run',
    body: PreviewsBody,
    reply: PreviewsReply,
  },
  previews: {
    method: 'GET',
    path: '/api/previews',
    summary: 'Previews with their plans, by the ids of their runs, such as `runs=5-9,12`',
    query: z.strictObject({ runs: RunRanges }),
    reply: z.array(Preview),
  },
  preview: {
    method: 'POST',
    path: '/api/sync_tasks/:id/preview',
    summary:
      'Compare source and target of a sync task as a run does, and write nothing. With `wait` the reply has the plan, or is 202 after that time',
    needs: 'run',
    params: IdParams,
    query: WaitQuery,
    reply: PreviewReply,
    accepted: PreviewReply,
  },
  versions: {
    method: 'GET',
    path: '/api/sync_tasks/:id/versions',
    summary: 'Kept changes of the target of a sync task, newest first, and the space that they take',
    params: IdParams,
    reply: Versions,
  },
  undo: {
    method: 'POST',
    path: '/api/sync_tasks/:id/undo',
    summary:
      'Make a plan that undoes the last change of the target of a sync task; it is applied like that of a preview. Cells that were edited since are kept',
    needs: 'run',
    params: IdParams,
    query: WaitQuery,
    body: RestoreBody,
    reply: PreviewReply,
    accepted: PreviewReply,
  },
  restore: {
    method: 'POST',
    path: '/api/sync_tasks/:id/versions/:version/restore',
    summary:
      'Make a plan that gives the target of a sync task the rows that a run left there. Cells that were edited since the last change are kept',
    needs: 'run',
    params: z.extend(IdParams, { version: IdParams.shape.id }),
    query: WaitQuery,
    body: RestoreBody,
    reply: PreviewReply,
    accepted: PreviewReply,
  },
  ofTask: {
    method: 'GET',
    path: '/api/sync_tasks/:id/plans',
    summary: 'Plans of a sync task that are kept, newest first: those of previews and those of runs',
    params: IdParams,
    reply: z.array(Plan),
  },
  get: {
    method: 'GET',
    path: '/api/plans/:hash',
    summary: 'One plan with its summary',
    params: HashParams,
    reply: Plan,
  },
  ofRun: {
    method: 'GET',
    path: '/api/runs/:id/plan',
    summary: 'What a run of a sync task has changed, or would change if it is a preview',
    params: IdParams,
    reply: Plan,
  },
  rows: {
    method: 'GET',
    path: '/api/plans/:hash/rows',
    summary:
      'Rows of a plan with their former and new cells, page by page, by kind, and by text in their cells',
    params: HashParams,
    query: z.strictObject({
      kind: z.optional(RowChangeKind),
      search: z.optional(z.string().check(z.maxLength(limits.name_characters))),
      tab: z.optional(z.string().check(z.maxLength(limits.sheet_name_characters))),
      after: z._default(digits('after', 0, 100_000_000), 0),
      limit: z._default(digits('limit', 1, limits.data_page_size), 100),
    }),
    reply: PlanPage,
  },
} satisfies Calls
