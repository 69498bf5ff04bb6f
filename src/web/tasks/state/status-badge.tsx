import { Badge } from '../../ui/badge.tsx'
import { useRunModel } from '../task-descriptor.tsx'
import { statusNamed } from './status.ts'

/** A status, optionally with the number of tasks in it. */
export function StatusBadge({ status, count }: { status: string; count?: number }) {
  const { tone, label } = statusNamed(useRunModel(), status)
  return <Badge tone={tone} label={label} {...(count !== undefined && { count })} />
}
