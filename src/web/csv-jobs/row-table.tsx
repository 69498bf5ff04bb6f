import type { CsvRowError } from '../../contract/csv-jobs/calls.ts'
import classes from './row-table.module.css'

/** Rows of a file, each with its error or warning. */
export const RowTable = ({ caption, rows }: { caption: string; rows: CsvRowError[] }) => (
  <table className={classes.rows}>
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">Row</th>
        <th scope="col">Column</th>
        <th scope="col">Reason</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ row, field, message }) => (
        <tr key={`${row} ${field}`}>
          <th scope="row">{row}</th>
          <td>{field}</td>
          <td>{message}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
