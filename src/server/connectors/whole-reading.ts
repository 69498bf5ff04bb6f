import type { Row } from '../../contract/tables.ts'
import type { SourceRead, TableRead } from './connector.ts'
import { parseRow } from './row-json.ts'

/** A reading that cannot be resumed and has no validator. Its first row is the header. */
export function wholeReading(reading: TableRead): SourceRead {
  let header: Row | null = null
  return {
    batches: (async function* () {
      for await (const rows of reading.batches) {
        const [first] = rows
        if (header === null && first) header = parseRow(Buffer.from(first).toString('utf8'))
        yield rows
      }
    })(),
    get requests() {
      return reading.requests
    },
    get header() {
      return header
    },
    checkpoint: null,
    total: null,
    validator: null,
    unchanged: false,
    warnings: [],
  }
}
