import type { KeyColumn } from '../../../plans/row-changes.ts'
import type { StoredSnapshot } from '../../../snapshots/snapshot.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Comparison } from '../compare/compare-tables.ts'
import { besideExcess } from '../limits/beside-excess.ts'
import { besideTogether, type CheckedTab, checkedTab } from '../limits/checked-tab.ts'
import { exceededLimits } from '../limits/exceeded-limits.ts'
import type { Excess } from '../limits/excess.ts'
import { besideOf, warnOfCellsBeside } from '../limits/require-within-limits.ts'
import type { FoundBeside } from '../plan/cells-beside.ts'
import type { ReadTables } from '../read/read-tables.ts'
import type { PreparedCopy } from '../write/write-difference.ts'

type Checked = { tab: CheckedTab; title: string; beside: FoundBeside | null }

/** Collects what the limits need to know of the tabs of a split task, which count together. */
export class CheckedTabs {
  readonly #attempt: CopyAttempt
  readonly #tabs: Checked[] = []

  constructor(attempt: CopyAttempt) {
    this.#attempt = attempt
  }

  /** Adds the tab of a run. Its rows are stored now, because its tables may be closed before all tabs are known. */
  async add({ attempt, tables, comparison }: PreparedCopy): Promise<void> {
    const { isUpToDate, before, difference } = comparison
    const isChecked = !isUpToDate && !tables.plan && before !== null
    const former = isChecked ? await before.complete(difference, tables.copy) : null
    const beside = isChecked ? await besideOf(attempt, tables, comparison) : null
    this.addStored(tables, comparison, { former, beside })
  }

  /** Adds a tab whose rows are stored as `former`; null: its limits need no check. */
  addStored(
    tables: ReadTables,
    comparison: Comparison,
    { former, beside }: { former: number | null; beside: FoundBeside | null },
  ): void {
    const { title } = tables.target
    // Nothing else of the tab is kept in memory.
    const tab = { ...checkedTab(tables, comparison), former: former === null ? null : stored(former) }
    this.#tabs.push({ tab, title, beside })
  }

  /** What all tabs together exceed. `whole`: the rows of all of them; null: those of a version. */
  async exceeded(whole: StoredSnapshot | null): Promise<{ exceeded: Excess[]; key_column: KeyColumn }> {
    const tabs = this.#tabs.map(({ tab }) => tab)
    const checked = await exceededLimits(this.#attempt, tabs, whole && tableOf(whole))
    const stopping = this.#tabs.flatMap(({ tab, beside }) => (tab.isFirst ? [] : (beside ?? [])))
    const excess = besideExcess(this.#attempt, { isFirst: false }, besideTogether(stopping))
    return { ...checked, exceeded: [...checked.exceeded, ...excess] }
  }

  /** Warns of cells that end up beside another row, where the task only wants to know. */
  async warn(): Promise<void> {
    for (const { title, beside } of this.#tabs)
      if (beside) await warnOfCellsBeside(this.#attempt, title, beside)
  }
}

const stored = (id: number) => () => Promise.resolve(id)

const tableOf = ({ id, header, formats, row_count }: StoredSnapshot): CheckedTab['copy'] => ({
  ...{ snapshot_id: id, header, formats, columns: header.length, rows: row_count },
})
