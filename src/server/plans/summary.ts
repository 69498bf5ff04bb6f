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
  const summary: Totals = {
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
  return { ...summary, lines: linesOf(summary, { ...facts, columns: wanted.columns, tabs: [], kept: [] }) }
}

/** Whether a plan leaves no rows in a target that had some. */
export const isEmptied = ({ rows }: Pick<PlanSummary, 'rows'>): boolean =>
  rows.former > 0 && rows.wanted === 0

/** A tab of a split task, and what happens to it. `is_cleared`: because its value is gone. */
export type TabSummary = { sheet_name: string; is_new: boolean; is_cleared: boolean; summary: PlanSummary }

/** Summarises what a plan does to all tabs of a split task. `kept`: tabs whose values are gone and that stay as they are. */
export function summariseTabs(
  tabs: readonly TabSummary[],
  {
    cost,
    ...facts
  }: Pick<PlanFacts, 'cost' | 'isWritePending' | 'limits' | 'notes'> & { kept: readonly string[] },
): PlanSummary {
  const all = tabs.map(({ summary }) => summary)
  const sum = (numberOf: (one: PlanSummary) => number) => all.reduce((total, one) => total + numberOf(one), 0)
  const besides = all.flatMap(({ beside }) => beside ?? [])
  const unowned = all.flatMap((one) => one.unowned ?? [])
  const [firstUnowned] = unowned
  const format_changes = unique(all.flatMap((one) => one.format_changes))
  const summary: Totals = {
    is_first: all.every(({ is_first }) => is_first),
    rows: {
      former: sum(({ rows }) => rows.former),
      wanted: sum(({ rows }) => rows.wanted),
      removed: sum(({ rows }) => rows.removed),
      changed: sum(({ rows }) => rows.changed),
      added: sum(({ rows }) => rows.added),
      moved: sum(({ rows }) => rows.moved),
    },
    cells: {
      changed: sum(({ cells }) => cells.changed),
      emptied: sum(({ cells }) => cells.emptied),
      written: sum(({ cells }) => cells.written),
    },
    // That a tab is emptied says it of its header, too.
    headers: unique(all.flatMap((one) => (isEmptied(one) ? [] : one.headers))),
    emptied_columns: emptiedTogether(all),
    formats: format_changes.length,
    format_changes,
    unowned: firstUnowned
      ? {
          kind: firstUnowned.kind,
          cells: cellsOf(unowned),
          columns: unique(unowned.flatMap((one) => one.columns)),
        }
      : null,
    beside:
      besides.length === 0
        ? null
        : {
            cells: cellsOf(besides),
            rows: besides.reduce((total, { rows }) => total + rows, 0),
            columns: unique(besides.flatMap((one) => one.columns)),
          },
    requests: cost?.requests ?? null,
    seconds: cost?.seconds ?? null,
  }
  return { ...summary, lines: linesOf(summary, { ...facts, columns: null, tabs }) }
}

const cellsOf = (found: readonly { cells: number }[]) => found.reduce((total, { cells }) => total + cells, 0)

const unique = <T>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
]

/** Emptied cells of all tabs by column, most cells first. */
function emptiedTogether(all: readonly PlanSummary[]): PlanSummary['emptied_columns'] {
  const byColumn = new Map<string, PlanSummary['emptied_columns'][number]>()
  for (const { column, header, cells } of all.flatMap((one) => one.emptied_columns)) {
    const key = JSON.stringify([column, header])
    byColumn.set(key, { column, header, cells: cells + (byColumn.get(key)?.cells ?? 0) })
  }
  return [...byColumn.values()].sort((one, other) => other.cells - one.cells)
}

type Totals = Omit<PlanSummary, 'lines'>

/** `columns`: of the wanted table; null where there are several. `tabs`: of a split task. */
type LineFacts = Pick<PlanFacts, 'isWritePending' | 'limits' | 'notes'> & {
  columns: number | null
  tabs: readonly TabSummary[]
  kept: readonly string[]
}

function linesOf(
  summary: Totals,
  { columns, isWritePending, limits, notes, tabs, kept }: LineFacts,
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
  const namesOf = (some: typeof tabs) => list(some.map(({ sheet_name }) => sheet_name))
  const [cleared, created] = [tabs.filter((tab) => tab.is_cleared), tabs.filter((tab) => tab.is_new)]
  const emptied_tabs = tabs.filter((tab) => !tab.is_cleared && isEmptied(tab.summary))
  add('danger', cleared.length, () => texts.tabs_cleared(cleared.length, namesOf(cleared)))
  add('danger', emptied_tabs.length, () => texts.tabs_emptied(emptied_tabs.length, namesOf(emptied_tabs)))
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
  add('change', created.length, () => texts.tabs_created(created.length, namesOf(created)))
  const isOneFirst = is_first && columns !== null
  if (isOneFirst) add('change', rows.added, () => texts.first(rows.wanted, columns))
  add('change', rows.changed, () => texts.changed(cells.changed, rows.changed))
  add('change', !isOneFirst && rows.added, () => texts.added(rows.added))
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
  add('note', kept.length, () => texts.tabs_kept(kept.length, list(kept)))
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
