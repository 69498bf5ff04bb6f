import { Button } from '@mantine/core'
import { limits } from '../../../../contract/limits.ts'
import { formatNumber } from '../../../lib/format.ts'
import classes from './pager.module.css'

type Props = {
  page: number
  total: number
  /** Plural noun of the items. */
  things?: string
  onTurn: (page: number) => void
}

const size = limits.compiled_page_size

/** Shows the current page and links to the others. */
export function Pager({ page, total, things = 'records', onTurn }: Props) {
  const pages = Math.max(1, Math.ceil(total / size))
  return (
    <nav className={classes.pager} aria-label={`Pages of ${things}`}>
      <span role="status">{rangeText(page, total, things)}</span>
      <Button variant="default" disabled={page <= 1} onClick={() => onTurn(1)}>
        First
      </Button>
      <Button variant="default" disabled={page <= 1} onClick={() => onTurn(Math.min(page - 1, pages))}>
        Previous
      </Button>
      <Button variant="default" disabled={page >= pages} onClick={() => onTurn(page + 1)}>
        Next
      </Button>
      <Button variant="default" disabled={page >= pages} onClick={() => onTurn(pages)}>
        Last
      </Button>
    </nav>
  )
}

/** Range of a page: "Records 21–40 of 12,345". */
export function rangeText(page: number, total: number, things = 'records'): string {
  const first = (page - 1) * size + 1
  if (first > total) return `No ${things} on page ${formatNumber(page)}`
  const last = Math.min(total, page * size)
  return `${things[0]?.toUpperCase()}${things.slice(1)} ${formatNumber(first)}–${formatNumber(last)} of ${formatNumber(total)}`
}
