import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'

const counted = (count: number, one: string) => `${formatted(count)} ${one}${count === 1 ? '' : 's'}`

/** A limit that a run would exceed, as the end of a sentence that begins with "Would". `limit` null: it has no number. */
type Excess = { act: string; limit: number | null }

/** A cell beside the table, and what identifies the rows beside it before and after a run; null: no row. */
type CellBeside = { value: string; address: string; before: string | null; after: string | null }

const EXAMPLE_CHARACTERS = 60
const row = (name: string | null) => (name === null ? 'no row' : quoted(name, EXAMPLE_CHARACTERS))
const cell = ({ value, address }: CellBeside) => `‘${quoted(value, EXAMPLE_CHARACTERS)}’ in ${address}`

/** Texts of runs beyond their limits. */
export const runLimitMessages = {
  remove: (rows: number, of: number) => `remove ${formatted(rows)} of ${counted(of, 'row')}`,
  empty: (cells: number, of: number, column: string) =>
    `empty ${formatted(cells)} of ${counted(of, 'cell')} in ‘${column}’`,
  change: (cells: number) => `change ${counted(cells, 'cell')}`,
  lack: (columns: readonly string[]) =>
    `write no column ${columns.map((column) => `‘${column}’`).join(' and no column ')}`,
  blank: (cells: number, column: string) => `leave ‘${column}’ blank in ${counted(cells, 'row')}`,
  repeat: (values: number, column: string) =>
    `write ${counted(values, 'value')} of ‘${column}’ more than once`,
  leave_beside: (cells: number, example: CellBeside) =>
    `leave ${counted(cells, 'filled cell')} beside another row: ${cell(example)} stands beside ${row(example.before)}; it would stand beside ${row(example.after)}`,

  /** One exceeded limit. */
  one: ({ act, limit }: Excess) =>
    limit === null ? `Would ${act}.` : `Would ${act}; the limit is ${formatted(limit)}.`,
  /** All of a run in one sentence. */
  all: (exceeded: readonly Excess[]) => {
    const parts = exceeded.map(({ act, limit }) =>
      limit === null ? act : `${act} (the limit is ${formatted(limit)})`,
    )
    const last = parts.pop() ?? ''
    return `Would ${parts.length > 0 ? `${parts.join(', ')} and ${last}` : last}.`
  },
  nothing_written: 'Nothing was written.',
  ways_beside: 'Run it once, or switch the task to ‘update’, which leaves every row in its place.',
  left_beside: (cells: number, example: CellBeside) =>
    `${counted(cells, 'filled cell')} ended up beside another row: ${cell(example)} stood beside ${row(example.before)}; it stands beside ${row(example.after)} now. With ‘update’ every row stays in its place.`,
  // failure_cause in SQL leaves this sentence out.
  since: (when: string) => `This has been so since ${when}.`,
  repeated_value: (column: string, value: string) =>
    `‘${value}’ is one of the values that ‘${column}’ has more than once.`,
} as const
