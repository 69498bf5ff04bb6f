import { type RawBuilder, sql } from 'kysely'
import type { QueryOf } from '../../../../contract/calls.ts'
import type { PlanPage, PlanRow, plans } from '../../../../contract/plans/calls.ts'
import type { Row as Cells, CellValue } from '../../../../contract/tables.ts'
import { PlannedTarget } from '../../../plans/stored-plan.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { pinSnapshot } from '../../../snapshots/pin.ts'
import { readPlan } from './plans.ts'

type Query = QueryOf<typeof plans.rows>

/**
 * Reads a page of a plan's rows with their former and new cells. Throws NamedError `plan_not_found`, or `plan_expired` if the cells are
 * no longer kept.
 */
export async function readPlanRows(db: Db, hash: string, query: Query): Promise<PlanPage> {
  // Finds out what happens to the rows, where no one has asked before.
  await readPlan(db, hash)
  const plan = await db
    .selectFrom('plans as p')
    .leftJoin('snapshots as f', 'f.id', 'p.former_snapshot_id')
    .leftJoin('snapshots as w', 'w.id', 'p.wanted_snapshot_id')
    .select(['p.id', 'p.target', 'p.former_snapshot_id', 'p.wanted_snapshot_id'])
    .select(['f.header as old_header', 'w.header as new_header'])
    .where('p.hash', '=', hash)
    .executeTakeFirstOrThrow()
  const { former_snapshot_id: former, wanted_snapshot_id: wanted, old_header, new_header } = plan
  const isKept = former !== null && wanted !== null && old_header !== null && new_header !== null
  if (!isKept || !(await pinSnapshot(db, former)) || !(await pinSnapshot(db, wanted)))
    throw new NamedError('plan_expired')
  const { columns, start_row } = PlannedTarget.parse(plan.target)
  const { rows, total, next } = await readPage(db, { id: plan.id, former, wanted }, query)
  return {
    columns: columns.map((column, index) => ({
      column,
      old_header: String(old_header[index] ?? ''),
      new_header: String(new_header[index] ?? ''),
    })),
    rows: rows.map((row) => present(row, start_row)),
    total,
    next,
  }
}

type Row = Pick<PlanRow, 'position' | 'kind' | 'old_row' | 'new_row'> & {
  old_cells: CellValue[] | null
  new_cells: CellValue[] | null
}

type Ids = { id: number; former: number; wanted: number }

// Indexes: the primary key, or plan_rows_kind_idx. The cells are subqueries, so that each is a lookup by the primary key of
// snapshot_rows, whatever the database knows of the tables. A search reads all rows of the kind.
async function readPage(
  db: Db,
  { id, former, wanted }: Ids,
  { kind, search, after, limit }: Query,
): Promise<{ rows: Row[]; total: number; next: number | null }> {
  const cells = sql`
    cross join lateral (
      select (select cells from snapshot_rows where snapshot_id = ${former} and row_no = r.old_row) as old_cells,
        (select cells from snapshot_rows where snapshot_id = ${wanted} and row_no = r.new_row) as new_cells
      offset 0
    ) c`
  const ofKind = kind === undefined ? sql`` : sql`and r.kind = ${kind}`
  const found =
    search === undefined
      ? sql``
      : sql`and (${contains(sql`c.old_cells`, search)} or ${contains(sql`c.new_cells`, search)})`
  const selected = sql`r.plan_id = ${id} ${ofKind} ${found}`
  const { rows } = await sql<Row>`
    select r.position, r.kind, r.old_row, r.new_row, c.old_cells, c.new_cells
    from plan_rows r ${cells} where ${selected} and r.position > ${after}
    order by r.position limit ${limit + 1}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from plan_rows r ${search === undefined ? sql`` : cells} where ${selected}`.execute(
    db,
  )
  const shown = rows.slice(0, limit)
  return {
    rows: shown,
    total: counted.rows[0]?.total ?? 0,
    next: rows.length > limit ? (shown.at(-1)?.position ?? null) : null,
  }
}

/** Whether a cell of a row contains the text, in any case. */
const contains = (cells: RawBuilder<unknown>, search: string) =>
  sql`exists (select from jsonb_array_elements_text(${cells}::jsonb) cell where position(lower(${search}) in lower(cell)) > 0)`

const present = ({ old_row, new_row, old_cells, new_cells, ...row }: Row, start_row: number): PlanRow => ({
  ...row,
  old_row: old_row === null ? null : start_row + old_row,
  new_row: new_row === null ? null : start_row + new_row,
  old_cells: withoutBlanks(old_cells),
  new_cells: withoutBlanks(new_cells),
})

const withoutBlanks = (cells: CellValue[] | null): Cells =>
  (cells ?? []).map((cell) => (cell === '' ? null : cell))
