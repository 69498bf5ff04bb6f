import { Button, Loader, Skeleton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './states.module.css'

/** Full-page spinner during the first load. */
export function PageSpinner() {
  return (
    <div className={classes.spinner} role="status" aria-label="Loading">
      <Loader />
    </div>
  )
}

/** Placeholder lines for rows that are loading. */
export function LoadingRows({ rows = 8, label }: { rows?: number; label: string }) {
  return (
    <div className={classes.card} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move
        <Skeleton key={row} height={34} radius={6} mb={14} />
      ))}
    </div>
  )
}

/** Load error with a retry button. */
export function LoadError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className={classes.error} role="alert">
      <IconAlertTriangle size={20} aria-hidden />
      <p>{message}</p>
      <Button variant="default" size="xs" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

type Empty = { title: string; hint?: string; level?: 1 | 2 | 3; children?: ReactNode }

/** Message for an empty list, with a hint and an action. */
export function EmptyState({ title, hint, level = 2, children }: Empty) {
  const Heading = `h${level}` as const
  return (
    <div className={classes.empty}>
      <Heading>{title}</Heading>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  )
}

type Nothing = Omit<Empty, 'children'> & { onClear: () => void }

/** Message for a list that is empty because of its filters, with a button that clears them. */
export const NothingMatches = ({ onClear, ...texts }: Nothing) => (
  <EmptyState {...texts}>
    <Button variant="default" onClick={onClear}>
      Clear all filters
    </Button>
  </EmptyState>
)
