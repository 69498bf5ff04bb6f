import { isFilePath } from '../../../../contract/files/providers.ts'
import { type Plan, type PlannedTab, RowChangeKind } from '../../../../contract/plans/calls.ts'
import { planMessages as messages } from '../../../../contract/plans/client-messages.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import classes from './plan-summary.module.css'
import { linkedTab, useSpreadsheetRoot } from './tabs-of-plan.ts'

const tones: Record<PlannedTab['change'], Tone> = {
  created: 'success',
  cleared: 'error',
  changed: 'warning',
  unchanged: 'neutral',
}

/** More tabs are folded, so that the cells below stay in reach. */
const MAX_OPEN = 10

/** Such as: 3 removed, 1 added. */
const rowsText = (rows: PlannedTab['rows']) =>
  RowChangeKind.options
    .filter((kind) => rows[kind] > 0)
    .map((kind) => messages.rows_of_kind(kind, rows[kind]))
    .join(', ')

/** The tabs of a split task that a plan changes; nothing for other tasks. */
export function PlanTabs({ plan }: { plan: Plan }) {
  const changing = plan.tabs.filter(({ change }) => change !== 'unchanged')
  const others = plan.tabs.length - changing.length
  if (changing.length === 0) return null
  return (
    <section className={classes.formats} aria-label={messages.tabs}>
      <details open={changing.length <= MAX_OPEN}>
        <summary>
          <h2 className="heading">{messages.tabs_changing(changing.length)}</h2>
        </summary>
        <CardTable
          label={messages.tabs}
          columns={[
            { label: messages.tab, cell: (tab) => <TabName plan={plan} tab={tab} /> },
            {
              label: messages.change,
              cell: ({ change }) => <Badge tone={tones[change]} label={messages.tab_changes[change]} />,
            },
            { label: messages.rows, cell: ({ rows }) => rowsText(rows) },
            { label: messages.cells_written, cell: ({ cells_written }) => formatNumber(cells_written) },
          ]}
          rows={changing}
          keyOf={({ value }) => value}
        />
      </details>
      {others > 0 && <p className={classes.others}>{messages.tabs_unchanged(others)}</p>}
    </section>
  )
}

function TabName({ plan, tab }: { plan: Plan; tab: PlannedTab }) {
  const root = useSpreadsheetRoot()
  const { spreadsheet_id } = plan.target
  const id = linkedTab(plan, tab)
  if (id === null || isFilePath(spreadsheet_id)) return tab.sheet_name
  return (
    <a
      className={classes.link}
      href={`${root}/spreadsheets/d/${spreadsheet_id}/edit#gid=${id}`}
      target="_blank"
      rel="noreferrer"
      title={messages.open_tab(tab.sheet_name)}
    >
      {tab.sheet_name}
    </a>
  )
}
