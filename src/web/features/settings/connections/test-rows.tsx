// biome-ignore-all lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard

import type { ConnectionTest } from '../../../../contract/connections/calls.ts'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'
import { formatCount } from '../../../lib/format.ts'
import classes from './test-result.module.css'

/** First rows of a test, with the names and types of the columns. */
export function TestRows({ result: { columns, rows, rows_read, ok } }: { result: ConnectionTest }) {
  if (rows.length === 0) return ok && <p className={classes.hint}>{connectionMessages.no_rows}</p>
  return (
    <>
      <h3>{connectionMessages.first_rows(rows.length, formatCount(rows_read, 'row'))}</h3>
      <section className={classes.frame} tabIndex={0} aria-label="First rows">
        <table className={classes.table} aria-label="First rows">
          <thead>
            <tr>
              {columns.map(({ name, type }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                <th key={place} scope="col" data-numeric={type === 'number' || undefined}>
                  {name}
                  <small>{type}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
              <tr key={place}>
                {columns.map((_, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                  <td key={column} data-numeric={typeof row[column] === 'number' || undefined}>
                    {String(row[column] ?? '')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
