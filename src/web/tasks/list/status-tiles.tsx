import type { SyncStatus } from '../../../contract/status.ts'
import { formatNumber } from '../../lib/format.ts'
import { labelOf, statusOrder, toneOf } from '../state/status.ts'
import classes from './status-tiles.module.css'

type Props = {
  counts: { status: SyncStatus; count: number }[]
  chosen: readonly SyncStatus[]
  onChoose: (statuses: SyncStatus[]) => void
}

/** How many tasks have each status; choosing tiles filters the list. */
export function StatusTiles({ counts, chosen, onChoose }: Props) {
  const count = new Map(counts.map((entry) => [entry.status, entry.count]))
  // Stopping lasts seconds: it has a tile only while there is something in it
  const shown = statusOrder.filter(
    (status) => status !== 'Stopping' || count.has(status) || chosen.includes(status),
  )
  const toggle = (status: SyncStatus) =>
    onChoose(chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status])
  return (
    <fieldset className={classes.tiles} aria-label="Filter by status">
      {shown.map((status) => (
        <button
          key={status}
          type="button"
          className={classes.tile}
          data-tone={toneOf(status)}
          data-empty={!count.has(status) || undefined}
          aria-pressed={chosen.includes(status)}
          onClick={() => toggle(status)}
          // a browser takes a tile at the edge for seen
          onFocus={(event) => event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
        >
          <b>{formatNumber(count.get(status) ?? 0)}</b> {labelOf(status)}
        </button>
      ))}
    </fieldset>
  )
}
