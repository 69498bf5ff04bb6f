import type { CSSProperties } from 'react'
import { barShare } from './calendar-layout.ts'

/** Style that gives the stylesheet an hour's share of the busiest one as `--share`. */
export const share = (runs: number, most: number): CSSProperties & { '--share': number } => ({
  '--share': barShare(runs, most),
})
