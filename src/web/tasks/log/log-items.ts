import type { Run } from '../../../contract/runs/calls.ts'
import type { TaskLogLine } from '../../../contract/tasks/schemas.ts'

/** An item of a log: a line, or the heading of the run that wrote the lines below it; null: not part of a run. */
export type LogItem =
  | { kind: 'line'; line: TaskLogLine }
  | { kind: 'run'; run_id: number | null; key: string }

/** Separates lines by run. A log in which no line belongs to a run has no headings. */
export function itemsOf(lines: readonly TaskLogLine[]): LogItem[] {
  const has_runs = lines.some(({ run_id }) => run_id !== null)
  const headings = new Map<number | null, number>()
  const items: LogItem[] = []
  let before: number | null | undefined
  for (const line of lines) {
    const { run_id } = line
    if (has_runs && run_id !== before) {
      const place = headings.get(run_id) ?? 0
      headings.set(run_id, place + 1)
      items.push({ kind: 'run', run_id, key: `run-${run_id}-${place}` })
    }
    before = run_id
    items.push({ kind: 'line', line })
  }
  return items
}

type Texts = {
  headingOf: (run_id: number | null, run: Run | undefined) => string
  runs: ReadonlyMap<number, Run>
}

/** A line as text. */
export const lineText = ({ formatted_timestamp, level, message }: TaskLogLine) =>
  `${formatted_timestamp} ${level} ${message}`

/** Lines as text, one per line, with the headings of their runs. */
export const textOf = (items: readonly LogItem[], { headingOf, runs }: Texts) =>
  items
    .map((item) =>
      item.kind === 'line'
        ? lineText(item.line)
        : `--- ${headingOf(item.run_id, item.run_id === null ? undefined : runs.get(item.run_id))} ---`,
    )
    .join('\n')
