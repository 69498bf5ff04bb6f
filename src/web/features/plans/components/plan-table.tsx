import { IconRoute } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { isFilePath } from '../../../../contract/files/providers.ts'
import { lineageMessages } from '../../../../contract/lineage/client-messages.ts'
import type { Plan, PlanPage, PlanRow } from '../../../../contract/plans/calls.ts'
import { planMessages as messages } from '../../../../contract/plans/client-messages.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { formatNumber } from '../../../lib/format.ts'
import { cellText, onOneLine } from '../../../tasks/data/cell-text.ts'
import { lineagePath } from '../../../tasks/lineage/lineage-path.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { addressOf, type CellPair, cellsIn, changingColumns, isChanged } from './plan-cells.ts'
import classes from './plan-table.module.css'
import { linkedTab, tabOf, useSpreadsheetRoot } from './tabs-of-plan.ts'

const tones: Record<PlanRow['kind'], Tone> = {
  removed: 'error',
  changed: 'warning',
  added: 'success',
  moved: 'neutral',
}

type Props = { plan: Plan; columns: PlanPage['columns']; rows: PlanRow[]; onlyChanged: boolean }

/** Rows of a plan with the cells before and after. */
export function PlanTable({ plan, columns, rows, onlyChanged }: Props) {
  const shown = useMemo(
    () => (onlyChanged ? changingColumns({ columns, rows }) : columns.map((_, column) => column)),
    [columns, rows, onlyChanged],
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the table
    <section className={classes.scroller} aria-label={messages.cells} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {plan.tabs.length > 0 && <th scope="col">{messages.tab}</th>}
            <th scope="col">{messages.row}</th>
            <th scope="col">{messages.change}</th>
            {shown.map((column) => (
              <th key={column} scope="col">
                <Header {...(columns[column] ?? { column: '', old_header: '', new_header: '' })} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.position} data-kind={row.kind} data-roving>
              {plan.tabs.length > 0 && <td>{tabOf(plan, row)?.sheet_name}</td>}
              <th scope="row">
                <RowNumber plan={plan} row={row} />
              </th>
              <td>
                <Badge tone={tones[row.kind]} label={messages.kinds[row.kind]} />
              </td>
              {cellsIn(row, shown).map((cell) => (
                <td key={cell.column} className={classes.cell}>
                  <Address plan={plan} row={row} cell={cell} column={columns[cell.column]?.column ?? ''} />
                  <Cell cell={cell} row={row} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Header({ column, old_header, new_header }: PlanPage['columns'][number]) {
  const name = new_header || old_header
  return (
    <>
      <span className={classes.letter}>{column}</span>{' '}
      {old_header !== '' && new_header !== old_header && (
        <>
          <del>{old_header}</del>{' '}
        </>
      )}
      {name !== old_header || new_header === old_header ? name : ''}
    </>
  )
}

/** Number of the row before and after, with a link into the spreadsheet while the row stands there. */
function RowNumber({ plan, row }: { plan: Plan; row: PlanRow }) {
  const hrefOf = useCellLinks(plan, row)
  const there = plan.state === 'applied' ? row.new_row : row.old_row
  const text =
    row.old_row !== null && row.new_row !== null && row.old_row !== row.new_row
      ? `${formatNumber(row.old_row)} → ${formatNumber(row.new_row)}`
      : formatNumber(row.new_row ?? row.old_row ?? 0)
  if (there === null) return text
  const href = hrefOf(`${there}:${there}`)
  const link = hrefOf(`A${there}`)
  // A cell of a file has no address in the web, but a row of a tab alone is none of the task's rows.
  const stored = row.tab === null ? { task_id: plan.task_id, row: there - plan.target.start_row } : null
  const cell = link === null ? stored : { link }
  return (
    <>
      {href === null ? (
        text
      ) : (
        <a href={href} target="_blank" rel="noreferrer" aria-label={`${text}. ${messages.open_row(there)}`}>
          {text}
        </a>
      )}
      {cell && (
        <Link
          to={lineagePath(cell)}
          className={classes.lineage}
          aria-label={lineageMessages.row_link(there)}
          title={lineageMessages.row_link(there)}
        >
          <IconRoute size={15} aria-hidden />
        </Link>
      )}
    </>
  )
}

type Place = { plan: Plan; row: PlanRow; cell: CellPair; column: string }

/** Address of a cell that changes, as a link into the spreadsheet. */
function Address({ plan, row, cell, column }: Place) {
  const hrefOf = useCellLinks(plan, row)
  const address = isChanged(row, cell) ? addressOf(row, column, plan.state === 'applied') : null
  if (address === null) return null
  const href = hrefOf(address)
  if (href === null) return <span className={classes.address}>{address}</span>
  return (
    <a
      className={classes.address}
      href={href}
      target="_blank"
      rel="noreferrer"
      aria-label={messages.open_cell(address)}
    >
      {address}
    </a>
  )
}

/** Returns URLs of ranges of the tab of a row; null for files, and for tabs that do not exist yet. */
function useCellLinks(plan: Plan, row: PlanRow): (range: string) => string | null {
  const root = useSpreadsheetRoot()
  const { spreadsheet_id, tab_id } = plan.target
  const tab = tabOf(plan, row)
  const id = tab ? linkedTab(plan, tab) : tab_id
  if (isFilePath(spreadsheet_id) || id === null) return () => null
  return (range) => `${root}/spreadsheets/d/${spreadsheet_id}/edit#gid=${id}&range=${range}`
}

function Cell({ cell, row }: { cell: CellPair; row: PlanRow }) {
  // Removed rows are shown in full, with their line breaks.
  const shown = (value: CellValue) => (row.kind === 'removed' ? cellText(value) : onOneLine(cellText(value)))
  const before = shown(cell.before)
  const after = shown(cell.after)
  if (!isChanged(row, cell)) return after || before
  return (
    <>
      {cell.before !== null && <del title={before}>{before}</del>}
      {cell.before !== null && row.kind === 'changed' && ' '}
      {cell.after !== null && <ins title={after}>{after}</ins>}
      {cell.after === null && row.kind === 'changed' && <ins className={classes.blank}>{messages.blank}</ins>}
    </>
  )
}
