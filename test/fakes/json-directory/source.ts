import { OriginFailure, type Source, type TabIdentity } from '../../../src/server/connectors/connector.ts'
import type { ReferenceContext, TableReference } from '../../../src/server/connectors/table-provider.ts'
import { wholeReading } from '../../../src/server/connectors/whole-reading.ts'
import { type ReadLimits, readTable } from './reading.ts'
import { Book, renamedWarnings } from './table-file.ts'

/** Opens a file of a directory as the source of a copy. */
export async function openSource(
  { root, ...limits }: ReadLimits & { root: string },
  { spreadsheet_id, start_row, ...wanted }: TableReference,
  { chunk_size }: ReferenceContext,
): Promise<Source & { identity: TabIdentity }> {
  const book = new Book(root, spreadsheet_id)
  const name = book.find(wanted)
  if (name === null)
    throw new OriginFailure('not_found', `‘${book.title}’ does not have ‘${wanted.sheet_name}’.`)
  const { id, formats } = book.table(name)
  const columns = Number.POSITIVE_INFINITY
  return {
    title: `‘${name}’ in ‘${book.title}’`,
    warnings: renamedWarnings(name, wanted),
    identity: { spreadsheet_name: book.title, sheet_name: name, tab_id: id },
    read: () =>
      wholeReading(
        readTable(limits, { id: spreadsheet_id, book, name, start: start_row - 1, columns, chunk_size }),
      ),
    address: (row, column) => `${String.fromCharCode(65 + column)}${start_row + row}`,
    formats: async () => ({
      columns: formats.map((format) => ({ format, runs: null, mixed: false })),
      sample_rows: null,
    }),
  }
}
