import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconClock, IconLoader2 } from '@tabler/icons-react'
import type { CsvJob } from '../../contract/csv-jobs/calls.ts'
import { csvJobMessages } from '../../contract/csv-jobs/client-messages.ts'

import type { Tone } from '../ui/badge.tsx'

type State = { tone: Tone; label: string; Icon: typeof IconClock }

// The state `running` is displayed as Processing.
const states: Record<CsvJob['status'], State> = {
  pending: { tone: 'neutral', label: 'Pending', Icon: IconClock },
  running: { tone: 'running', label: 'Processing', Icon: IconLoader2 },
  completed: { tone: 'success', label: 'Completed', Icon: IconCircleCheck },
  failed: { tone: 'error', label: 'Failed', Icon: IconCircleX },
}

/** Label, colour and icon of a job's state. */
export const stateOf = ({ status, errors, warnings }: CsvJob): State =>
  status === 'completed' && errors.length + warnings.length > 0
    ? { tone: 'warning', label: 'Completed', Icon: IconAlertTriangle }
    : states[status]

/** Result of a job in one line. */
export function outcomeOf({ kind, status, error, summary }: CsvJob): string {
  if (error !== null) return error
  if (kind === 'export')
    return status === 'completed' ? csvJobMessages.rows_exported(summary.exported ?? 0) : ''
  const { created = 0, updated = 0, unchanged = 0, skipped = 0, failed = 0 } = summary
  return [
    csvJobMessages.import_counts({ created, updated, unchanged }),
    ...(skipped > 0 ? [csvJobMessages.rows_skipped(skipped)] : []),
    ...(failed > 0 ? [csvJobMessages.rows_refused(failed)] : []),
  ].join(', ')
}
