import { z } from 'zod'
import { compiler } from '../../src/contract/compiler/calls.ts'
import { sourceTasks } from '../../src/contract/source-tasks/calls.ts'
import { syncTasks } from '../../src/contract/sync-tasks/calls.ts'
import { unifiedTaskTypes } from '../../src/contract/task-types/calls.ts'
import type { Cell } from '../fakes/spreadsheets.ts'
import type { Send } from '../fixtures/person.ts'
import { plainMerge } from '../fixtures/plain-merge.ts'
import type { Fleet } from './fleet.ts'

const ROWS = 300
const TAB = 'Table'
const Id = z.object({ id: z.int() })

// Each source has SKUs that no other source has, and blank cells that other sources fill.
const table = (source: number, round: number): Cell[][] => [
  ['SKU', 'Name', `Own ${source}`],
  ...Array.from({ length: ROWS }, (_, row) => [
    String(row + source * 50).padStart(5, '0'),
    (row + source) % 3 === 0 ? '' : `Name ${source}/${row}`,
    `Round ${round}`,
  ]),
]

/** Sheets, source tasks that read them, a compile and sync tasks of its records. Each type depends on the previous one. */
export class WholePipeline {
  readonly #fleet: Fleet
  readonly #sheets: string[] = []
  readonly #targets: string[] = []

  private constructor(fleet: Fleet) {
    this.#fleet = fleet
  }

  /** `retries`: number of immediate retries of a failed run, for each type. */
  static async build(
    fleet: Fleet,
    send: Send,
    { sources = 3, targets = 2, retries = 0 }: { sources?: number; targets?: number; retries?: number } = {},
  ): Promise<WholePipeline> {
    const built = new WholePipeline(fleet)
    const add = async (call: { method: string; path: string }, body: object) =>
      (await send(call.method, call.path, Id, body)).id
    const tries = { max_retries: retries, retry_delay_seconds: 0 }
    const source_task_ids: number[] = []
    const fetches = await add(unifiedTaskTypes.create, {
      name: 'Sources',
      task_category: 'source',
      allowed_concurrent_tasks: 2,
      ...tries,
    })
    for (let source = 0; source < sources; source += 1) {
      const sheet = await fleet.spreadsheet({ [TAB]: table(source, 0) })
      built.#sheets.push(sheet)
      source_task_ids.push(
        await add(sourceTasks.create, {
          name: `Source ${source}`,
          source_task_type_id: fetches,
          source_type: 'sheet',
          spreadsheet_id: sheet,
          sheet_name: TAB,
          chunk_size: 100,
        }),
      )
    }
    const config = await add(compiler.createConfig, {
      name: 'Merged',
      source_task_ids,
      master_source_id: source_task_ids[0],
    })
    const compile = await add(unifiedTaskTypes.create, {
      name: 'Compile',
      task_category: 'compiler',
      compiler_config_id: config,
      depends_on_id: fetches,
      ...tries,
    })
    const copies = await add(unifiedTaskTypes.create, {
      name: 'Copies',
      task_category: 'sync',
      depends_on_id: compile,
      allowed_concurrent_tasks: 2,
      chunk_size: 100,
      ...tries,
    })
    for (let target = 0; target < targets; target += 1) {
      const sheet = await fleet.spreadsheet({ [TAB]: [] })
      built.#targets.push(sheet)
      await add(syncTasks.create, {
        sync_task_type_id: copies,
        name: `Copy ${target}`,
        source_type: 'internal',
        source_compiler_config_id: config,
        target_ss_id: sheet,
        target_sheet_name: TAB,
      })
    }
    return built
  }

  /** Writes the rows of a round to each sheet. */
  async turn(round: number): Promise<void> {
    for (const [source, sheet] of this.#sheets.entries())
      await this.#fleet.write(sheet, `${TAB}!A1`, table(source, round))
  }

  /** Actual and expected rows of each target after a round, without the header, sorted by SKU. */
  async targetRows(round: number): Promise<{ current: Cell[][]; expected: Cell[][] }[]> {
    const sources = this.#sheets.map((_, source) => {
      const [columns = [], ...rows] = table(source, round)
      return { columns: columns.map(String), sku: 0, rows }
    })
    const { fields, records } = plainMerge(sources)
    const expected = records.map(({ sku, values }) => [sku, ...fields.map((field) => values[field] ?? '')])
    return Promise.all(
      this.#targets.map(async (target) => {
        const [, ...rows] = await this.#fleet.values(target, TAB)
        // The API omits trailing blank cells.
        const current = rows.map((row) => [String(row[0]), ...fields.map((_, n) => cellOf(row[n + 1]))])
        return { current: current.toSorted(bySku), expected: expected.toSorted(bySku) }
      }),
    )
  }
}

const cellOf = (value: unknown): Cell =>
  value === undefined ? '' : z.union([z.string(), z.number(), z.boolean()]).parse(value)
const bySku = ([a]: Cell[], [b]: Cell[]) => String(a).localeCompare(String(b))
