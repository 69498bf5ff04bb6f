// biome-ignore-all lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard
// biome-ignore-all lint/suspicious/noArrayIndexKey: rows and columns of a table have no other identity

import type { RowSample } from '../../../../contract/rows/row-sample.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import classes from '../../../ui/example-table.module.css'

/** The first rows that a run would copy. */
export const SampleTable = ({
  sample: { header, first },
}: {
  sample: Pick<RowSample, 'header' | 'first'>
}) => (
  <section className={classes.frame} tabIndex={0} aria-label="First rows of the target">
    <table className={classes.table} aria-label="First rows of the target">
      <thead>
        <tr>
          {header.map((name, column) => (
            <th key={column} scope="col">
              {cellText(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {first.map((row, place) => (
          <tr key={place}>
            {header.map((_, column) => (
              <td key={column}>{cellText(row[column])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
