import { Skeleton } from '@mantine/core'

/** In place of the bar of the source schedule while it is being loaded. */
export const SourceStatusSkeleton = () => (
  <Skeleton height={52} radius={12} mb={16} role="status" aria-label="Loading the schedule" />
)
