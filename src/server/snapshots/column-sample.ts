import type { Row } from '../../contract/tables.ts'
import type { Db } from '../platform/db.ts'
import type { Sample } from './column-changes.ts'
import { textsOfRows } from './snapshot.ts'

/** Enough to tell columns apart, and few enough to be read with each run. */
const SAMPLE_ROWS = 200
/** Steps of the golden ratio are spread evenly, and never in step with values that repeat every few rows. */
const GOLDEN_RATIO = 0.618_033_988_75

/** Up to 200 rows, spread over all, of a version, by which its columns are compared with those of another version. */
export async function sampleOf(
  db: Db,
  { id, header, row_count }: { id: number; header: Row; row_count: number },
): Promise<Sample> {
  const size = Math.min(SAMPLE_ROWS, row_count)
  const numbers = Array.from(
    { length: size },
    (_, n) => Math.floor(((n + ((n * GOLDEN_RATIO) % 1)) * row_count) / size) + 1,
  )
  const texts = await textsOfRows(db, id, numbers)
  return { header, rows: numbers.map((number) => JSON.parse(texts.get(number) ?? '[]')) }
}
