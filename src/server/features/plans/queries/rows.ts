import { type RawBuilder, sql } from 'kysely'
import type { QueryOf } from '../../../../contract/calls.ts'
import { type PlanPage, type PlanRow, PlanSummary, type plans } from '../../../../contract/plans/calls.ts'
import type { Row as Cells, CellValue } from '../../../../contract/tables.ts'
import { type PlanPart, readParts } from '../../../plans/parts.ts'
import { PlannedTarget } from '../../../plans/stored-plan.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { pinSnapshot } from '../../../snapshots/pin.ts'
import { readPlan } from './plans.ts'

type Query = QueryOf<typeof plans.rows>

/**
 * Reads a page of a plan's rows with their former and new cells, tab after tab. Throws NamedError `plan_not_found`, or `plan_expired` if the
 * cells are no longer kept.
 */
export async function readPlanRows(db: Db, hash: string, query: Query): Promise<PlanPage> {
  // Finds out what happens to the rows, where no one has asked before.
  await readPlan(db, hash)
  const { id } = await db.selectFrom('plans').select('id').where('hash', '=', hash).executeTakeFirstOrThrow()
  const parts: Part[] = []
  let before = 0
  for (const part of await readParts(db, id)) {
    const rows = part.summary === null ? none : PlanSummary.parse(part.summary).rows
    parts.push({
      ...part,
      ...(await pinRows(db, part)),
      before,
      rows,
      planned: PlannedTarget.parse(part.target),
    })
    before += total(rows)
  }
  const chosen = parts.filter(({ split_value }) => query.tab === undefined || split_value === query.tab)
  const rows: PlanRow[] = []
  let count = 0
  for (const part of chosen) {
    const left = query.limit + 1 - rows.length
    const after = Math.max(0, query.after - part.before)
    const isPast = after >= total(part.rows)
    if (left > 0 && !isPast) rows.push(...(await readPage(db, part, { ...query, after, limit: left })))
    count += await countRows(db, part, query)
  }
  const shown = rows.slice(0, query.limit)
  return {
    columns: columnsOf(chosen),
    rows: shown,
    total: count,
    next: rows.length > query.limit ? (shown.at(-1)?.position ?? null) : null,
  }
}

/** A part with rows that are stored. `before`: rows of the parts before it. */
type Part = Pick<PlanPart, 'id' | 'split_value'> & {
  former: number
  wanted: number
  old_header: Cells
  new_header: Cells
  before: number
  rows: Counts
  planned: PlannedTarget
}

type Counts = Pick<PlanSummary['rows'], PlanRow['kind']>

const none: Counts = { removed: 0, changed: 0, added: 0, moved: 0 }

const total = ({ removed, changed, added, moved }: Counts) => removed + changed + added + moved

/** Pins the tables of a part. Throws NamedError `plan_expired` if they are no longer kept. */
async function pinRows(
  db: Db,
  { former_snapshot_id: former, wanted_snapshot_id: wanted }: PlanPart,
): Promise<Pick<Part, 'former' | 'wanted' | 'old_header' | 'new_header'>> {
  const isKept = former !== null && wanted !== null
  if (!isKept || !(await pinSnapshot(db, former)) || !(await pinSnapshot(db, wanted)))
    throw new NamedError('plan_expired')
  const headers = await db
    .selectFrom('snapshots')
    .select(['id', 'header'])
    .where('id', 'in', [former, wanted])
    .execute()
  const headerOf = (id: number) => headers.find((one) => one.id === id)?.header ?? []
  return { former, wanted, old_header: headerOf(former), new_header: headerOf(wanted) }
}

/** The columns of all parts. Tabs of a task have the same ones; where a header differs, the first filled one is shown. */
function columnsOf(parts: readonly Part[]): PlanPage['columns'] {
  const names = parts.reduce<string[]>(
    (most, { planned: { columns } }) => (columns.length > most.length ? columns : most),
    [],
  )
  const first = (column: number, side: 'old_header' | 'new_header') =>
    parts.map((part) => String(part[side][column] ?? '')).find((name) => name !== '') ?? ''
  return names.map((column, index) => ({
    column,
    old_header: first(index, 'old_header'),
    new_header: first(index, 'new_header'),
  }))
}

type Row = Pick<PlanRow, 'position' | 'kind' | 'old_row' | 'new_row'> & {
  old_cells: CellValue[] | null
  new_cells: CellValue[] | null
}

// Indexes: the primary key, or plan_rows_kind_idx. The cells are subqueries, so that each is a lookup by the primary key of
// snapshot_rows, whatever the database knows of the tables. A search reads all rows of the kind.
const cellsOf = ({ former, wanted }: Part) => sql`
  cross join lateral (
    select (select cells from snapshot_rows where snapshot_id = ${former} and row_no = r.old_row) as old_cells,
      (select cells from snapshot_rows where snapshot_id = ${wanted} and row_no = r.new_row) as new_cells
    offset 0
  ) c`

function selected({ id }: Part, { kind, search }: Query) {
  const ofKind = kind === undefined ? sql`` : sql`and r.kind = ${kind}`
  const found =
    search === undefined
      ? sql``
      : sql`and (${contains(sql`c.old_cells`, search)} or ${contains(sql`c.new_cells`, search)})`
  return sql`r.plan_id = ${id} ${ofKind} ${found}`
}

async function readPage(db: Db, part: Part, query: Query): Promise<PlanRow[]> {
  const { rows } = await sql<Row>`
    select r.position, r.kind, r.old_row, r.new_row, c.old_cells, c.new_cells
    from plan_rows r ${cellsOf(part)} where ${selected(part, query)} and r.position > ${query.after}
    order by r.position limit ${query.limit}`.execute(db)
  return rows.map((row) => present(row, part))
}

/** Rows of a part that the filters select. Without a search, its summary says how many. */
async function countRows(db: Db, part: Part, query: Query): Promise<number> {
  const most = query.kind === undefined ? total(part.rows) : part.rows[query.kind]
  if (query.search === undefined || most === 0) return most
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from plan_rows r ${cellsOf(part)} where ${selected(part, query)}`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

/** Whether a cell of a row contains the text, in any case. */
const contains = (cells: RawBuilder<unknown>, search: string) =>
  sql`exists (select from jsonb_array_elements_text(${cells}::jsonb) cell where position(lower(${search}) in lower(cell)) > 0)`

const present = (
  { position, old_row, new_row, old_cells, new_cells, ...row }: Row,
  { before, split_value, planned: { start_row } }: Part,
): PlanRow => ({
  ...row,
  position: before + position,
  tab: split_value,
  old_row: old_row === null ? null : start_row + old_row,
  new_row: new_row === null ? null : start_row + new_row,
  old_cells: withoutBlanks(old_cells),
  new_cells: withoutBlanks(new_cells),
})

const withoutBlanks = (cells: CellValue[] | null): Cells =>
  (cells ?? []).map((cell) => (cell === '' ? null : cell))
