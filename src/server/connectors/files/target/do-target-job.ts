import { RowSet } from '../../../snapshots/row-set.ts'
import { BLANK_ROW, rowText } from '../../row-json.ts'
import type { PatchRow } from '../workbook/tab-change.ts'
import type { JobTable, TargetJob } from './target-jobs.ts'
import type { FileRow, WrittenTable } from './written-table.ts'

const LINE_END = Uint8Array.of(0x0a)
/** Bytes of an answer that are sent at once. */
const PIECE_CHARACTERS = 131_072

type Send = (text: string | Uint8Array) => void

/** Does a job; `input` has the lines behind it. Throws OriginFailure. */
export async function doTargetJob(job: TargetJob, input: AsyncGenerator<string>, send: Send): Promise<void> {
  const sendObject = (value: object) => send(`${JSON.stringify(value)}\n`)
  if (job.work === 'find') {
    const { findTab } = await import('./workbook-table.ts')
    sendObject({ found: await findTab(job.file, job) })
    return
  }
  const table = await tableOf(job.table)
  switch (job.work) {
    case 'rows':
      return sendRows(table.rows(job.columns), send)
    case 'beside': {
      const wanted = RowSet.ofBits(Buffer.from(job.rows, 'base64'))
      let text = ''
      for await (const { row, cells } of table.readBeside(job.columns, wanted)) {
        text += `${JSON.stringify([row, cells])}\n`
        if (text.length < PIECE_CHARACTERS) continue
        send(text)
        text = ''
      }
      return send(text)
    }
    case 'formats':
      return sendObject({ formats: [...(await table.readFormats(job.columns, job.rows))] })
    case 'write': {
      const { columns, area, out } = job
      return table.write({ columns, area, rows: patchRows(input) }, out)
    }
  }
}

/** Loads the code of one kind of file only, which takes most of the time in which the process starts. */
async function tableOf({ file, start, exists, tab, csv }: JobTable): Promise<WrittenTable> {
  if (tab) {
    const { WorkbookTable } = await import('./workbook-table.ts')
    return new WorkbookTable(file, { start, exists, tab })
  }
  const { CsvTable } = await import('./csv-table.ts')
  return new CsvTable(file, { start, exists, csv })
}

async function sendRows(batches: AsyncIterable<FileRow[]>, send: Send): Promise<void> {
  let next = 0
  for await (const batch of batches) {
    const pieces: Uint8Array[] = []
    const formulas: [row: number, column: number][] = []
    for (const { row, cells, formulas: inRow } of batch) {
      for (; next < row; next += 1) pieces.push(BLANK_ROW, LINE_END)
      pieces.push(Buffer.from(rowText(cells)), LINE_END)
      for (const column of inRow) formulas.push([row, column])
      next = row + 1
    }
    if (formulas.length > 0) send(`${JSON.stringify({ formulas })}\n`)
    if (pieces.length > 0) send(Buffer.concat(pieces))
  }
}

/** The rows behind a job. The lines are those of this program's parent. */
async function* patchRows(input: AsyncGenerator<string>): AsyncGenerator<PatchRow[]> {
  for (;;) {
    const { value, done } = await input.next()
    if (done) throw new Error('The rows to write do not end')
    const rows: PatchRow[] | null = JSON.parse(value)
    if (rows === null) return
    yield rows
  }
}
