import type { ByKey } from '../../../../contract/runs/receipts.ts'
import type { Row } from '../../../../contract/tables.ts'
import { parseRowBytes, rowText } from '../../../connectors/row-json.ts'
import type { CopyAttempt } from '../attempt.ts'
import { type Definition, selfChangingColumns } from '../definition.ts'
import type { MatchedTable } from './keys.ts'
import { markText } from './mark-text.ts'
import { type Matching, MISSING, STAYS } from './match-rows.ts'
import { alikeRows, clearedRow, markedRow, newRow, type RowMerge, updatedRow } from './merge-row.ts'
import type { WantedRow } from './store-wanted.ts'

/** The rows that the target is to hold, in order. Counts what happens to them. */
export function* wantedRows(
  { keeper, definition, settings }: CopyAttempt,
  {
    held,
    columns,
    copy,
    matching: { sourceOf, added },
    by_key: counts,
  }: MatchedTable & { matching: Matching; by_key: ByKey },
): Generator<WantedRow> {
  const mark = markText(definition.mark_text, new Date(keeper.value.started_at), settings.zone ?? 'UTC')
  const merge: RowMerge = {
    ...columns,
    selfChanging: new Set(selfChangingColumns(definition, copy.header)),
    isMark: mark.isMark,
  }
  const isAlike = alikeRows(merge)
  const width = columns.header.length
  for (const [index, source] of sourceOf.entries()) {
    const json = held.json(index + 1, width)
    if (source === MISSING) counts.missing += 1
    if (source === STAYS) yield { source: 0, build: () => json }
    else if (source === MISSING) {
      const wanted = missingRow(parseRowBytes(json), definition, merge, mark.text)
      yield { source: 0, build: () => bytesOf(wanted) }
    } else
      yield {
        source,
        build: (copied) => {
          const wanted = isAlike(json, copied) ? json : updatedBytes(json, copied, merge)
          counts[wanted === json ? 'unchanged' : 'updated'] += 1
          return wanted
        },
      }
  }
  let number = sourceOf.length
  for (const source of added) {
    number += 1
    const beside = held.row(number).slice(0, width)
    yield { source, build: (copied) => bytesOf(newRow(beside, parseRowBytes(copied), merge)) }
  }
  for (number += 1; number <= held.length; number += 1) {
    const json = held.json(number, width)
    yield { source: 0, build: () => json }
  }
}

const bytesOf = (row: Row): Uint8Array => Buffer.from(rowText(row))

/** The same bytes if nothing changes. */
function updatedBytes(json: Uint8Array, copied: Uint8Array, merge: RowMerge): Uint8Array {
  const row = parseRowBytes(json)
  const wanted = updatedRow(row, parseRowBytes(copied), merge)
  return wanted === row ? json : bytesOf(wanted)
}

function missingRow(row: Row, { write_mode, on_missing }: Definition, merge: RowMerge, text: string): Row {
  if (write_mode === 'replace' || on_missing === 'clear') return clearedRow(row, merge)
  return on_missing === 'mark' ? markedRow(row, text, merge) : row
}
