import { Skeleton } from '@mantine/core'

/** Placeholder of the status bar while it is loading. */
export const SourceStatusSkeleton = () => (
  <Skeleton height={52} radius={12} mb={16} role="status" aria-label="Loading the schedule" />
)
