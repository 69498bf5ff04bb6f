import { CSV_TABLE, isDelimited } from '../../../contract/files/providers.ts'
import { fileMessages } from '../../../contract/files/server-messages.ts'
import type { NumberFormat, Row } from '../../../contract/tables.ts'
import { FormatCollector, formatKey } from '../column-formats.ts'
import { OriginFailure } from '../connector.ts'
import { BLANK_ROW, rowText } from '../row-json.ts'
import { type DelimitedNotes, readDelimited } from './delimited-file.ts'
import type { FileJob, FileTables, FoundTable, ReadEnd } from './file-jobs.ts'
import { findTable } from './tables.ts'
import type { CellArea } from './workbook/cell-area.ts'
import { openWorkbook } from './workbook/open-workbook.ts'
import type { Workbook } from './workbook/workbook.ts'

/** Lists the tables of a file. Throws OriginFailure. */
export async function listTables(job: FileJob): Promise<FileTables> {
  if (isDelimited(job.file)) {
    const { rows, columns, notes } = await readAll(job)
    return { tables: [{ title: CSV_TABLE, kind: 'tab', rows, columns }], format: notes.format }
  }
  return withWorkbook(job, async (workbook) => {
    const tables: FileTables['tables'] = []
    for (const tab of workbook.tabs.filter(({ isGrid }) => isGrid))
      tables.push({ title: tab.name, kind: 'tab', ...sizeOf(await workbook.statedArea(tab)) })
    for (const { name, area } of workbook.tables) tables.push({ title: name, kind: 'table', ...sizeOf(area) })
    for (const { name, tab, area } of workbook.names)
      if (tab !== null && area !== null && !name.startsWith('_'))
        tables.push({ title: name, kind: 'area', ...sizeOf(area) })
    return { tables, format: null }
  })
}

const sizeOf = (area: CellArea | null) =>
  area === null
    ? { rows: 0, columns: 0 }
    : { rows: area.bottom - area.top + 1, columns: area.right - area.left + 1 }

async function readAll(job: FileJob) {
  let rows = 0
  let columns = 0
  let notes: DelimitedNotes | null = null
  const settings = { path: job.path, name: job.file, start_row: 1, csv: job.csv }
  for await (const batch of readDelimited(settings, (found) => {
    notes = found
  })) {
    const [first] = batch
    if (rows === 0 && first) columns = JSON.parse(Buffer.from(first).toString('utf8')).length
    rows += batch.length
  }
  if (notes === null) throw new OriginFailure('invalid', fileMessages.empty_file(job.file))
  return { rows, columns, notes: notes as DelimitedNotes }
}

function findDelimited({ file, sheet_name, start_row }: FileJob): FoundTable {
  if (sheet_name !== '' && sheet_name.toLowerCase() !== CSV_TABLE.toLowerCase())
    throw new OriginFailure('not_found', fileMessages.csv_table_unknown(file, sheet_name, CSV_TABLE))
  return { name: CSV_TABLE, id: CSV_TABLE, top: start_row - 1, left: 0, warning: null }
}

type Listener = { onFound: (table: FoundTable) => void; onEnd: (end: ReadEnd) => void }

/** Finds a table of a file, and reads it as the bytes of JSON rows, from the header row on. Throws OriginFailure. */
export async function* readTable(job: FileJob, listener: Listener): AsyncGenerator<Uint8Array[]> {
  if (!isDelimited(job.file)) {
    yield* readSheet(job, listener)
    return
  }
  const { onFound, onEnd } = listener
  onFound(findDelimited(job))
  const { path, file: name, start_row, csv } = job
  yield* readDelimited({ path, name, start_row, csv }, ({ warnings, remarks }) =>
    onEnd({ formats: [], warnings, remarks }),
  )
}

async function* readSheet(job: FileJob, { onFound, onEnd }: Listener): AsyncGenerator<Uint8Array[]> {
  const collectors: FormatCollector[] = []
  let hidden = 0
  const workbook = await openWorkbook(job.path)
  try {
    const { table, warning } = findTable(workbook, job)
    const { name, id, tab, area } = table
    onFound({ name, id, top: area.top, left: area.left, warning })
    let next = area.top
    for await (const batch of workbook.readTab(tab, { columns: area.right + 1 })) {
      const rows: Uint8Array[] = []
      for (const { row, cells, styles, isHidden } of batch) {
        if (row - 1 < area.top || row - 1 > area.bottom) continue
        const own: Row = cells.slice(area.left)
        if (own.length === 0) continue
        for (; next < row - 1; next += 1) rows.push(BLANK_ROW)
        rows.push(Buffer.from(rowText(own)))
        next += 1
        if (isHidden) hidden += 1
        const number = row - 1 - area.top
        if (number > 0) collect(collectors, own, number, (n) => workbook.format(styles[area.left + n] ?? 0))
      }
      if (rows.length > 0) yield rows
    }
  } finally {
    await workbook.close()
  }
  const formats = collectors.map(({ column }) => column)
  onEnd({ formats, warnings: [], remarks: hidden > 0 ? [fileMessages.hidden_rows(hidden)] : [] })
}

async function withWorkbook<Result>({ path }: FileJob, use: (workbook: Workbook) => Promise<Result>) {
  const workbook = await openWorkbook(path)
  try {
    return await use(workbook)
  } finally {
    await workbook.close()
  }
}

function collect(
  collectors: FormatCollector[],
  cells: Row,
  row: number,
  formatOf: (column: number) => NumberFormat | null,
): void {
  for (const [column, cell] of cells.entries()) {
    while (collectors.length <= column) collectors.push(new FormatCollector())
    if (cell !== null) collectors[column]?.add(row, formatKey(formatOf(column)))
  }
}
