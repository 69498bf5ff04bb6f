import { writeServerMessages as messages } from '../../../../contract/rows/server-messages.ts'
import { RunFailure } from '../../../engine/types.ts'
import { keyText } from '../../../snapshots/row-key.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { BadKey } from './match-rows.ts'

const MAX_NAMED_ROWS = 3
const MAX_NAMED_KEYS = 3

/** Tables for people, and the name of a data row in each. */
type Tables = Record<BadKey['side'], { title: string; rowName: (row: number) => string }>

/**
 * Ends the run before it writes if rows have no key or the same one, or warns that they are skipped, as the task says. Throws RunFailure,
 * which names rows and values.
 */
export async function reportBadKeys(
  { context, definition }: CopyAttempt,
  bad: readonly BadKey[],
  { tables, key }: { tables: Tables; key: string },
): Promise<void> {
  for (const side of ['source', 'target'] as const) {
    const { title, rowName } = tables[side]
    const named = (rows: readonly number[]) => ({
      names: rows.slice(0, MAX_NAMED_ROWS).map(rowName),
      count: rows.length,
    })
    const blank = bad.find((entry) => entry.side === side && entry.key === null)
    const repeated = bad.filter((entry) => entry.side === side && entry.key !== null)
    const sentences = [
      ...(blank ? [messages.blank_keys(title, key, named(blank.rows))] : []),
      ...(repeated.length > 0
        ? [
            messages.repeated_keys(
              title,
              key,
              repeated
                .slice(0, MAX_NAMED_KEYS)
                .map(({ key: value, rows }) => ({ value: keyText(value ?? '[]'), ...named(rows) })),
              repeated.length,
            ),
          ]
        : []),
    ]
    for (const sentence of sentences) {
      if (definition.on_bad_keys === 'fail')
        throw new RunFailure(messages.bad_keys_fail(sentence), { retryable: false })
      await context.warn({ kind: 'keys', subject: sentence, message: messages.bad_keys_skipped(sentence) })
    }
  }
}
