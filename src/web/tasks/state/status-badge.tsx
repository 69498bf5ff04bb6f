import type { SyncStatus } from '../../../contract/status.ts'
import { Badge } from '../../ui/badge.tsx'
import { labelOf, toneOf } from './status.ts'

/** The status of a task, or how many have it. */
export const StatusBadge = ({ status, count }: { status: SyncStatus; count?: number }) => (
  <Badge tone={toneOf(status)} label={labelOf(status)} count={count} />
)
