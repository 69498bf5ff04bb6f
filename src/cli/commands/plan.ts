import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { type Plan, type PlanPage, type PlanRow, plans, RowChangeKind } from '../../contract/plans/calls.ts'
import { planMessages } from '../../contract/plans/client-messages.ts'
import type { CellValue } from '../../contract/tables.ts'
import type { Client } from '../client.ts'
import { type Command, type Context, EXIT, numberOf, textOf, UsageError } from '../command.ts'
import { printSummary, titleOf } from '../print-summary.ts'
import { count, table, visible } from '../text.ts'

const OF_ROWS = ['kind', 'search', 'tab', 'after', 'limit'] as const

/** Shows a plan, of a preview or of what a run has changed; `--json` prints the plan, or with `--rows` a page of its rows. */
export const plan: Command = {
  summary: 'Show what a run changed, or what a preview would change',
  args: ['RUN'],
  flags: {
    rows: { type: 'boolean', summary: 'Show its rows, with each cell before and after' },
    kind: { type: 'string', summary: 'Only rows that are …', choices: RowChangeKind.options },
    search: { type: 'string', value: 'TEXT', summary: 'Only rows with this text in a cell' },
    tab: { type: 'string', value: 'VALUE', summary: 'Only rows of the tab of this value, of a split task' },
    after: { type: 'string', value: 'N', summary: 'Continue after the row at this position' },
    limit: { type: 'string', value: 'N', summary: 'Rows of a page (default: 100)' },
  },
  run: async (context) => {
    const { client, args, flags, print, printJson } = context
    const given = OF_ROWS.find((flag) => flags[flag] !== undefined)
    if (!flags.rows && given !== undefined) throw new UsageError(messages.rows_flag(given))
    const query = rowsQuery(flags)
    const found = await findPlan(client, args[0] ?? '')
    if (flags.rows) return showRows(context, found, query)
    print(found.expires_at === null ? ranTitle(found) : titleOf(found))
    printSummary(context, found)
    printJson(found)
    return EXIT.ok
  },
}

const ranTitle = ({ task_name, run_id, target }: Plan) =>
  messages.run_changed(visible(task_name), run_id, visible(target.title))

function findPlan(client: Client, text: string): Promise<Plan> {
  if (/^[0-9a-f]{64}$/.test(text)) return client.call(plans.get, { params: { hash: text } })
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(messages.no_run(text))
  return client.call(plans.ofRun, { params: { id: Number(text) } })
}

function rowsQuery(flags: Context['flags']) {
  const [kind, search, tab] = [textOf(flags.kind), textOf(flags.search), textOf(flags.tab)]
  const [after, limit] = [numberOf('after', flags.after), numberOf('limit', flags.limit)]
  return {
    // The choices of the flag are the kinds.
    ...(kind !== undefined && { kind: RowChangeKind.parse(kind) }),
    ...(search !== undefined && { search }),
    ...(tab !== undefined && { tab }),
    ...(after !== undefined && { after: String(after) }),
    ...(limit !== undefined && { limit: String(limit) }),
  }
}

async function showRows(
  { client, print, printJson }: Context,
  { hash, tabs }: Plan,
  query: ReturnType<typeof rowsQuery>,
): Promise<number> {
  const page = await client.call(plans.rows, { params: { hash }, query })
  printJson(page)
  if (page.rows.length === 0) print(planMessages.no_rows)
  else
    for (const line of table(
      [...(tabs.length > 0 ? ['TAB'] : []), 'CHANGE', 'ROW', 'CELL', 'BEFORE', 'AFTER'],
      page.rows.flatMap((row) => linesOf(row, page, tabs)),
    ))
      print(line)
  print(messages.page_of_rows(String(page.rows.length), count(page.total, 'row')))
  if (page.next !== null) print(messages.next_rows(page.next))
  return EXIT.ok
}

/** A line for each cell that changes; of moved rows one for the first cell, by which the row is recognised. */
function linesOf(row: PlanRow, { columns }: Pick<PlanPage, 'columns'>, tabs: Plan['tabs']): string[][] {
  const { kind, old_row, new_row, old_cells, new_cells } = row
  const rows =
    old_row === null || new_row === null || old_row === new_row
      ? String(new_row ?? old_row)
      : `${old_row} → ${new_row}`
  const cells = columns.flatMap(({ column, old_header, new_header }, index) => {
    const [before, after] = [old_cells[index] ?? null, new_cells[index] ?? null]
    const isShown = kind === 'moved' ? before !== null : before !== after
    const header = new_header || old_header
    return isShown ? [[header ? `${column} ${header}` : column, shown(before), shown(after)]] : []
  })
  const listed = kind === 'moved' ? cells.slice(0, 1) : cells
  const name = tabs.find(({ value }) => value === row.tab)?.sheet_name
  return listed.map((cell, index) => {
    const isFirst = index === 0
    const tab = tabs.length > 0 ? [isFirst ? (name ?? '') : ''] : []
    return isFirst ? [...tab, planMessages.kinds[kind], rows, ...cell] : [...tab, '', '', ...cell]
  })
}

const shown = (value: CellValue) => (value === null ? '' : String(value))
