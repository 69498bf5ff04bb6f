import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type CheckCount, compilerChecks } from '../../../../contract/compiler/checks.ts'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import { FieldCheck } from '../../../../contract/field-checks/field-checks.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { cutText } from '../records/cut-text.ts'
import classes from './check-count-line.module.css'

const DEBOUNCE_MS = 300

/** How many records of the last compile fail a check while it is edited, and the first of them; of a median, when the next compile warns. */
export function CheckCountLine({ config_id, check }: { config_id: number; check: FieldCheck }) {
  const [settled] = useDebouncedValue(check, DEBOUNCE_MS)
  const isComplete = FieldCheck.safeParse(settled).success
  const query = useQuery({
    queryKey: [compilerChecks.countFailures.path, config_id, settled] as const,
    queryFn: ({ signal }) =>
      call(compilerChecks.countFailures, { params: { id: config_id }, body: { check: settled }, signal }),
    enabled: isComplete,
    placeholderData: keepPreviousData,
  })
  if (!isComplete) return null
  return (
    <p className={classes.count} role="status" data-failed={(query.data?.failed ?? 0) > 0 || undefined}>
      {query.isError
        ? reasonOf(query.error, compilerMessages.count_failed)
        : query.data
          ? countText(settled, query.data)
          : compilerMessages.counting}
    </p>
  )
}

const countText = (check: FieldCheck, { median, first, ...count }: CheckCount) =>
  check.kind === 'median'
    ? compilerMessages.check_median({ median, percent: check.percent, ...count })
    : compilerMessages.check_count({
        ...count,
        first: first.map(({ sku, value, number_format, repaired }) => ({
          sku,
          text: cutText(cellText(value, number_format)),
          repaired,
        })),
      })
