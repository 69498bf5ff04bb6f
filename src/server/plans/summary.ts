import type {
  CellsBeside,
  FormatChange,
  OverwrittenCells,
  PlanSummary,
  SummaryLine,
} from '../../contract/plans/calls.ts'
import { planServerMessages } from '../../contract/plans/server-messages.ts'
import type { Row } from '../../contract/tables.ts'
import type { ChangeCounts } from './row-changes.ts'

const { lines: texts } = planServerMessages

/** Lines of a summary. */
const MAX_LINES = 12

/** Most names in a line. */
const MAX_NAMES = 4

/** Both tables of a plan without their data rows, and what happens to these. */
export type PlanFacts = {
  former: { header: Row; rows: number }
  wanted: { header: Row; rows: number; columns: number }
  counts: ChangeCounts
  /** Cells that differ at their address. */
  written: number
  formats: readonly FormatChange[]
  unowned: OverwrittenCells | null
  beside: CellsBeside | null
  /** A change of an earlier run may still arrive. */
  isWritePending: boolean
  /** What a run of the task costs; null: unknown. */
  cost: { requests: number; seconds: number } | null
  columnName: (column: number) => string
  /** Limits that the plan exceeds, in sentences. */
  limits: readonly string[]
  /** More sentences, after all others. */
  notes: readonly string[]
}

/** Summarises a plan, the dangerous lines first. */
export function summarise(facts: PlanFacts): PlanSummary {
  const { former, wanted, counts, written, formats, unowned, beside, cost, columnName } = facts
  const { removed, changed, added, moved } = counts
  const is_first = former.rows === 0 && former.header.length === 0
  const headers = is_first ? [] : headerChanges(former.header, wanted.header, columnName)
  const emptied_columns = [...counts.emptied]
    .sort(([, one], [, other]) => other - one)
    .map(([column, cells]) => ({
      column: columnName(column),
      header: textOf(former.header[column]),
      cells,
    }))
  const emptied = emptied_columns.reduce((sum, { cells }) => sum + cells, 0)
  const summary = {
    is_first,
    rows: { former: former.rows, wanted: wanted.rows, removed, changed, added, moved },
    cells: { changed: counts.cells, emptied, written },
    headers,
    emptied_columns,
    formats: formats.length,
    format_changes: [...formats],
    unowned,
    beside,
    requests: cost?.requests ?? null,
    seconds: cost?.seconds ?? null,
  }
  return { ...summary, lines: linesOf(summary, facts) }
}

function linesOf(
  summary: Omit<PlanSummary, 'lines'>,
  { wanted, isWritePending, limits, notes }: PlanFacts,
): SummaryLine[] {
  const {
    is_first,
    rows,
    cells,
    headers,
    emptied_columns,
    format_changes,
    unowned,
    beside,
    requests,
    seconds,
  } = summary
  const lines: SummaryLine[] = []
  const add = (level: SummaryLine['level'], is: boolean | number, text: () => string) => {
    if (is) lines.push({ level, text: text() })
  }
  for (const text of limits) add('danger', true, () => text)
  const named = (kind: PlanSummary['headers'][number]['kind']) => headers.filter((one) => one.kind === kind)
  add('danger', rows.removed, () => texts.removed(rows.removed, rows.former))
  add('danger', cells.emptied, () => texts.emptied(cells.emptied, list(emptied_columns.map(nameOf))))
  const [changed, removed, added] = [named('changed'), named('removed'), named('added')]
  add('danger', removed.length, () => texts.columns_removed(list(removed.map((one) => one.old))))
  add('danger', changed.length, () =>
    texts.headers_changed(list(changed.map((one) => `${one.column} ‘${one.old}’ to ‘${one.new}’`))),
  )
  add('danger', added.length, () => texts.columns_added(list(added.map((one) => one.new))))
  if (unowned) add('danger', true, () => texts.unowned(unowned.cells, list(unowned.columns.map(nameOf))))
  if (beside)
    add('danger', beside.cells, () =>
      texts.beside(beside.cells, beside.rows, list(beside.columns.map(nameOf))),
    )
  add('danger', isWritePending, () => texts.pending)
  add('change', is_first && rows.added, () => texts.first(rows.wanted, wanted.columns))
  add('change', rows.changed, () => texts.changed(cells.changed, rows.changed))
  add('change', !is_first && rows.added, () => texts.added(rows.added))
  add('change', rows.moved, () => texts.moved(rows.moved))
  add('change', format_changes.length, () =>
    texts.formats(
      format_changes.length,
      list(format_changes.map((one) => texts.format(nameOf(one), one.old, one.new))),
    ),
  )
  if (lines.length === 0) lines.push({ level: 'note', text: texts.nothing })
  else if (requests !== null && seconds !== null)
    lines.push({ level: 'note', text: texts.cost(requests, seconds) })
  for (const text of notes) lines.push({ level: 'note', text })
  return lines.length <= MAX_LINES
    ? lines
    : [...lines.slice(0, MAX_LINES - 1), { level: 'danger', text: texts.more(lines.length - MAX_LINES + 1) }]
}

/** Headers that differ. A header that moved to another column is neither added nor removed. */
function headerChanges(
  former: Row,
  wanted: Row,
  columnName: (column: number) => string,
): PlanSummary['headers'] {
  const [olds, news] = [former, wanted].map((header) => new Set(header.map(textOf)))
  return Array.from({ length: Math.max(former.length, wanted.length) }, (_, column) => {
    const [before, after] = [textOf(former[column]), textOf(wanted[column])]
    const isGone = before !== '' && !news?.has(before)
    const isNew = after !== '' && !olds?.has(after)
    const names = { column: columnName(column), old: before, new: after }
    if (before === after) return []
    if (isGone && isNew) return [{ kind: 'changed' as const, ...names }]
    return [
      ...(isGone ? [{ kind: 'removed' as const, ...names, new: '' }] : []),
      ...(isNew ? [{ kind: 'added' as const, ...names, old: '' }] : []),
    ]
  }).flat()
}

const nameOf = ({ column, header }: { column: string; header: string }) => header || column

const textOf = (cell: Row[number] | undefined) => String(cell ?? '')

function list(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ')
  const rest = names.length - MAX_NAMES
  return rest > 0 ? `${shown} and ${rest.toLocaleString('en')} more` : shown
}
