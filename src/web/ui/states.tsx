import { Button, Loader, Skeleton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './states.module.css'

/** The whole page while nothing is known yet. */
export function PageSpinner() {
  return (
    <div className={classes.spinner} role="status" aria-label="Loading">
      <Loader />
    </div>
  )
}

/** Grey lines in place of rows that are being loaded. */
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

/** What could not be loaded, and a button to try again. */
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

/** Nothing there: what that means, and what to do about it. */
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
