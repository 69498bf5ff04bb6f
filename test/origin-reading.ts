import type { Source, SourceReading } from '../src/server/connectors/connector.ts'
import type { OriginUse } from '../src/server/connectors/origin-use.ts'

/** On whose behalf a test reads: whatever is on loopback may be reached. */
export const anyUse = (changes: Partial<OriginUse> = {}): OriginUse => ({
  signal: new AbortController().signal,
  rules: { entries: ['127.0.0.1'] },
  chunk_size: 10,
  max_rows: 1_000_000,
  beforeRequest: async () => {},
  onRetry: async () => {},
  onWait: () => () => {},
  ...changes,
})

/** All rows of a reading, the header first as it stands at the end. */
export async function readAll(reading: SourceReading): Promise<unknown[][]> {
  const rows: unknown[][] = []
  for await (const batch of reading.batches) for (const row of batch) rows.push(parse(row))
  return reading.header === null ? rows : [reading.header, ...rows.slice(1)]
}

/** The rows of a source, as objects by column. */
export async function readObjects(source: Source): Promise<Record<string, unknown>[]> {
  const [header = [], ...rows] = await readAll(source.read())
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])))
}

const parse = (row: Uint8Array): unknown[] => JSON.parse(Buffer.from(row).toString())
