import { limits } from '../../../contract/limits.ts'
import type { RowSample, SampledColumn, SampledKeys, SampledTabs } from '../../../contract/rows/row-sample.ts'
import type { CellValue, Row } from '../../../contract/tables.ts'
import type { Source } from '../../connectors/connector.ts'
import type { OpenSource, SourceReference } from '../../connectors/registry.ts'
import { parseRow } from '../../connectors/row-json.ts'
import { RunFailure } from '../../engine/types.ts'
import { findColumn, headerNames } from '../../snapshots/column-names.ts'
import { plainSku } from '../../snapshots/sku.ts'
import type { Definition } from './definition.ts'
import { type Arrangement, type ArrangeSettings, arrange } from './read/arrangement.ts'
import { openSources } from './read/open-tables.ts'
import { originsOf } from './read/origin.ts'
import type { RowOrigin } from './read/projection.ts'

const VALUES_PER_COLUMN = 3

/** Digits with the separators, signs and currencies of some country. */
const LOOKS_LIKE_NUMBER = /^[-+€$£¥%\s\d.,'’]{1,40}$/

type SampleSettings = ArrangeSettings & Pick<Definition, 'key_columns' | 'split_by'>

/** The source of a task that is being edited, with its settings of rows and columns. */
export type SampleQuestion = Pick<
  Definition,
  | 'source_type'
  | 'source_provider'
  | 'source_ss_id'
  | 'source_sheet_name'
  | 'source_place'
  | 'source_task_id'
  | 'source_name'
  | 'start_row'
  | 'further_sources'
> &
  Partial<Pick<Definition, 'source_csv_delimiter' | 'source_csv_encoding' | 'source_csv_quote'>> &
  SampleSettings

/**
 * Reads the first rows of a source, and arranges them as a run at the time `now` would. Of several sources all rows are counted, because the
 * first rows may be those of the first source alone. Throws OriginFailure.
 */
export async function sampleRows(
  open: (reference: SourceReference) => Promise<OpenSource>,
  question: SampleQuestion,
  now: string,
): Promise<RowSample> {
  const source = await openSources(question, open)
  const sources = 1 + question.further_sources.length
  return arrangeSample(source, { ...question, sources }, originsOf(question, source, now))
}

async function arrangeSample(
  source: Pick<Source, 'title' | 'read'>,
  settings: SampleSettings & { sources: number },
  originAt: (row: number) => RowOrigin,
): Promise<RowSample> {
  const { sources } = settings
  const reading = new SampleReading(source, sources > 1 ? Date.now() + limits.sample_count_ms : 0)
  const { header, rows } = await reading.first()
  const columns = sampledColumns(header, rows)
  const nothing = { passed: 0, header: [], first: [], row_keys: null, tabs: null }
  const { isOver: is_whole } = reading
  const sample = { columns, sources, is_partial: !is_whole, problem: null, ...nothing }
  const counted = { rows: rows.length, is_count_partial: !is_whole }
  try {
    const arrangement = arrange(header, settings, source.title)
    const found = arranged(arrangement, { rows, originAt, settings })
    const more = await reading.countMore(arrangement.passes)
    return {
      ...{ ...sample, ...found },
      passed: found.passed + more.passed,
      ...{ rows: rows.length + more.rows, is_count_partial: !reading.isOver },
    }
  } catch (error) {
    if (error instanceof RunFailure) return { ...sample, ...counted, problem: error.message }
    throw error
  } finally {
    await reading.close()
  }
}

/** Reads the first rows of a source, then counts those behind them until a time, in milliseconds since 1970. */
class SampleReading {
  readonly #rows: AsyncGenerator<Row, null>
  readonly #until: number
  /** The row behind those that were read. */
  #next: Row | null = null
  /** All rows were read. */
  isOver = false

  constructor(source: Pick<Source, 'read'>, until: number) {
    this.#rows = rowsOf(source)
    this.#until = until
  }

  async first(): Promise<{ header: Row; rows: Row[] }> {
    const header: Row = (await this.#take()) ?? []
    const rows: Row[] = []
    let { length: cells } = header
    for (let row = await this.#take(); row; row = await this.#take()) {
      if (rows.length === limits.sample_rows || cells > limits.sample_cells) {
        this.#next = row
        break
      }
      rows.push(row)
      cells += row.length
    }
    return { header, rows }
  }

  async countMore(passes: (row: Row) => boolean): Promise<{ rows: number; passed: number }> {
    const counted = { rows: 0, passed: 0 }
    while (this.#next && Date.now() < this.#until) {
      counted.rows += 1
      if (passes(this.#next)) counted.passed += 1
      this.#next = await this.#take()
    }
    return counted
  }

  async #take(): Promise<Row | null> {
    const { done, value } = await this.#rows.next()
    this.isOver ||= done === true
    return done ? null : value
  }

  /** Ends the reading. */
  close = () => this.#rows.return(null)
}

async function* rowsOf({ read }: Pick<Source, 'read'>): AsyncGenerator<Row, null> {
  for await (const batch of read().batches)
    for (const bytes of batch)
      yield parseRow(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  return null
}

function arranged(
  { projection, passes, order, max_rows }: Arrangement,
  {
    rows,
    originAt,
    settings,
  }: { rows: readonly Row[]; originAt: (row: number) => RowOrigin; settings: SampleSettings },
): Pick<RowSample, 'passed' | 'header' | 'first' | 'row_keys' | 'tabs'> {
  const passed = rows.map((row, index) => ({ row, number: index + 1 })).filter(({ row }) => passes(row))
  if (order) {
    const keys = new Map(passed.map(({ row, number }) => [number, order.keysOf(row)]))
    const keysOf = (number: number) => keys.get(number) ?? []
    passed.sort((one, other) => order.compare(keysOf(one.number), keysOf(other.number)))
  }
  const first = passed
    .slice(0, Math.min(max_rows, limits.sample_rows_shown))
    .map(({ row, number }) => projection.row(row, number, originAt(number)))
  const copied = passed.map(({ row, number }) => projection.row(row, number, originAt(number)))
  return {
    passed: passed.length,
    header: projection.header,
    first,
    row_keys: sampledKeys(projection.header, copied, settings.key_columns),
    tabs: settings.split_by === null ? null : sampledTabs(projection.header, copied, settings.split_by),
  }
}

function sampledKeys(header: Row, rows: readonly Row[], key_columns: readonly string[]): SampledKeys | null {
  const names = headerNames(header)
  const places = key_columns.map((name) => findColumn(names, name))
  if (places.length === 0 || places.includes(-1)) return null
  const counts = new Map<string, { rows: number; parts: string[] }>()
  let blank = 0
  for (const row of rows) {
    const parts = places.map((column) => plainSku(String(row[column] ?? '')))
    const key = JSON.stringify(parts)
    if (parts.every((part) => part === '')) blank += 1
    else counts.set(key, { rows: (counts.get(key)?.rows ?? 0) + 1, parts })
  }
  const twice = [...counts.values()].filter((key) => key.rows > 1)
  const repeated = twice.reduce((sum, key) => sum + key.rows, 0)
  return { blank, repeated, example: twice[0]?.parts.join(' / ') ?? null }
}

function sampledTabs(header: Row, rows: readonly Row[], split_by: string): SampledTabs | null {
  const column = findColumn(headerNames(header), split_by)
  if (column < 0) return null
  const values = rows.map((row) => plainSku(String(row[column] ?? '')))
  const different = new Set(values.filter((value) => value !== ''))
  return {
    values: [...different].slice(0, limits.split_tabs_max),
    count: different.size,
    blank: values.filter((value) => value === '').length,
  }
}

function sampledColumns(header: Row, rows: readonly Row[]): SampledColumn[] {
  return headerNames(header).map((name, column) => {
    const values: CellValue[] = []
    let number_as_text: string | null = null
    for (const row of rows) {
      const cell = row[column] ?? null
      if (cell === null || cell === '') continue
      if (values.length < VALUES_PER_COLUMN) values.push(cell)
      number_as_text ??= numberAsText(cell)
      if (values.length === VALUES_PER_COLUMN && number_as_text !== null) break
    }
    return { name, values, number_as_text }
  })
}

/** Texts of digits only are codes such as "007". */
function numberAsText(cell: CellValue): string | null {
  if (typeof cell !== 'string' || !LOOKS_LIKE_NUMBER.test(cell)) return null
  return /\d/.test(cell) && /[^\d\s]/.test(cell) ? cell : null
}
