import { xmlRefusal } from './package-parts.ts'
import { type RowContext, RowReader } from './row-reader.ts'
import type { SheetRow } from './workbook.ts'
import { XmlTokens } from './xml-tokens.ts'
import type { ZipArchive } from './zip-archive.ts'

/** Rows per batch. */
const ROWS_PER_BATCH = 1_000

/** Reads the rows of a sheet while it is unpacked. Throws OriginFailure. */
export async function* readRows({
  zip,
  part,
  ...context
}: RowContext & { zip: ZipArchive; part: string }): AsyncGenerator<SheetRow[]> {
  const reader = new RowReader(context)
  const tokens = new XmlTokens(reader)
  const pieces = zip.pieces(part)
  try {
    for await (const piece of pieces) {
      tokens.write(piece)
      if (reader.rows.length >= ROWS_PER_BATCH) yield reader.rows.splice(0)
    }
    tokens.end()
  } catch (error) {
    throw xmlRefusal(error, zip.source(part))
  }
  if (reader.rows.length > 0) yield reader.rows
}
