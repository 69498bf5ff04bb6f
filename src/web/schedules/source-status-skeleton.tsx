import { Skeleton } from '@mantine/core'
import classes from './source-status-bar.module.css'

/** Placeholder of the status bar while it is loading. */
export const SourceStatusSkeleton = () => (
  <Skeleton className={classes.coming} radius={12} mb={16} role="status" aria-label="Loading the schedule" />
)
