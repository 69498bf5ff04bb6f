import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formatNumber } from '../lib/format.ts'

/** The first rows of a long list, which takes seconds to render as a whole, and a button that shows `step` more. */
export function useShowMore<Row>(rows: readonly Row[], step: number): [shown: readonly Row[], ReactNode] {
  const [most, setMost] = useState(step)
  const left = rows.length - most
  return [
    rows.slice(0, most),
    left > 0 && (
      <Button variant="default" fullWidth mt={12} onClick={() => setMost(most + step)}>
        Show more, {formatNumber(left)} left
      </Button>
    ),
  ]
}
