import { isDeepStrictEqual } from 'node:util'
import type { ExtraColumn } from '../../../../contract/rows/row-settings.ts'
import type { CellValue, Row } from '../../../../contract/tables.ts'
import type { ColumnFormat } from '../../../connectors/connector.ts'
import { parseRow, rowText } from '../../../connectors/row-json.ts'
import { formatMoment } from '../../../engine/log-entries.ts'
import type { Db } from '../../../platform/db.ts'
import type { TableFormats } from '../../../snapshots/column-format.ts'
import { Fingerprint, TableHash } from '../../../snapshots/fingerprint.ts'
import { type StoredSnapshot, snapshotTexts } from '../../../snapshots/snapshot.ts'

/** How cells with the time of a run are shown. */
export const TIME_FORMAT: ColumnFormat = {
  format: { type: 'DATE_TIME', pattern: 'yyyy-mm-dd hh:mm:ss' },
  runs: null,
  mixed: false,
}

const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(1899, 11, 30)
/** A spreadsheet keeps 15 digits of a number. */
const PARTS_OF_DAY = 1e9

/** A moment as the cell of a spreadsheet: days since 1899-12-30 by the clock of a time zone. */
export function timeCell(moment: Date, zone: string): number {
  const clock = formatMoment(moment, zone)
  const days = (Date.parse(`${clock.slice(0, 10)}T${clock.slice(11, 19)}Z`) - FIRST_DAY) / DAY_MS
  return Math.round(days * PARTS_OF_DAY) / PARTS_OF_DAY
}

/** The last version of a copy, whose columns `names` hold the time of the run that wrote it. */
export type TimedVersion = { snapshot: StoredSnapshot; names: readonly string[]; time: CellValue }

/** Null if no column holds the time of the run, or the last version has none. */
export async function timedVersion(
  db: Db,
  last: StoredSnapshot | null,
  extra_columns: readonly ExtraColumn[],
): Promise<TimedVersion | null> {
  const names = extra_columns.flatMap(({ kind, name }) => (kind === 'run_time' ? name : []))
  const [column = -1] = last ? columnsOf(last.header, names) : []
  if (!last || column < 0) return null
  for await (const texts of snapshotTexts(db, last.id, 1, last.row_count + 1)) {
    for (const text of texts) {
      const time = parseRow(text)[column] ?? null
      if (time !== null) return { snapshot: last, names, time }
    }
  }
  return null
}

const columnsOf = (header: Row, names: readonly string[]): number[] =>
  header.flatMap((cell, column) => (names.includes(String(cell ?? '')) ? column : []))

/** The fingerprint of a table, and whether it is the last version apart from the time of the run. */
export class TimedFingerprint extends Fingerprint {
  readonly #last: TimedVersion
  readonly #atLastTime = new TableHash()
  #columns: number[] = []

  constructor(last: TimedVersion) {
    super()
    this.#last = last
  }

  override push(json: Uint8Array, filled: number): void {
    this.#atLastTime.push(filled === 0 ? json : this.#withLastTime(json))
    super.push(json, filled)
  }

  /** Whether nothing else differs from the last version, neither a cell nor a number format. */
  isLast(formats: TableFormats): boolean {
    const { snapshot } = this.#last
    return (
      this.#atLastTime.digest() === snapshot.hash &&
      (snapshot.formulas ?? []).length === 0 &&
      isDeepStrictEqual(snapshot.formats.stored, formats.stored)
    )
  }

  #withLastTime(json: Uint8Array): Uint8Array {
    const row = parseRow(Buffer.from(json).toString())
    if (this.rows === 0) {
      this.#columns = columnsOf(row, this.#last.names)
      return json
    }
    for (const column of this.#columns) row[column] = this.#last.time
    return Buffer.from(rowText(row))
  }
}
