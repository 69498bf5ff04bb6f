// biome-ignore-all lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard

import { tabMessages as messages } from '../../../contract/runs/client-messages.ts'
import type { CopiedTab } from '../../../contract/runs/receipts.ts'
import { formatNumber } from '../../lib/format.ts'
import classes from './copied-tabs.module.css'

/** The tabs of a split task as a run left them. */
export const CopiedTabs = ({ tabs }: { tabs: readonly CopiedTab[] }) => (
  <section className={classes.frame} tabIndex={0} aria-label={messages.tabs}>
    <table className={classes.table} aria-label={messages.tabs}>
      <thead>
        <tr>
          <th scope="col">{messages.tab}</th>
          <th scope="col">{messages.value}</th>
          <th scope="col" data-numeric>
            {messages.rows}
          </th>
          <th scope="col" data-numeric>
            {messages.cells_changed}
          </th>
        </tr>
      </thead>
      <tbody>
        {tabs.map(({ value, sheet_name, rows, cells_changed, is_cleared }) => (
          <tr key={value}>
            <th scope="row">{sheet_name}</th>
            <td>{value}</td>
            <td data-numeric>{is_cleared ? messages.emptied : formatNumber(rows)}</td>
            <td data-numeric>{formatNumber(cells_changed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** The same behind a line that opens it. */
export const FoldedTabs = ({ tabs }: { tabs: readonly CopiedTab[] }) => (
  <details className={classes.folded}>
    <summary>{messages.show(tabs.length)}</summary>
    <CopiedTabs tabs={tabs} />
  </details>
)
