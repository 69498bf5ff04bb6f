import { formatNumber } from '../../lib/format.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import classes from './status-tiles.module.css'

type Props = {
  /** By their words. */
  counts: ReadonlyMap<string, number>
  chosen: readonly string[]
  onChoose: (statuses: string[]) => void
}

/** How many tasks have each status; choosing tiles filters the list. */
export function StatusTiles({ counts, chosen, onChoose }: Props) {
  const shown = useDescriptor().statuses.filter(
    ({ word, is_brief }) => !is_brief || counts.has(word) || chosen.includes(word),
  )
  const toggle = (status: string) =>
    onChoose(chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status])
  return (
    <fieldset className={classes.tiles} aria-label="Filter by status">
      {shown.map(({ word, label, tone }) => (
        <button
          key={word}
          type="button"
          className={classes.tile}
          data-tone={tone}
          data-empty={!counts.has(word) || undefined}
          aria-pressed={chosen.includes(word)}
          onClick={() => toggle(word)}
          // a browser takes a tile at the edge for seen
          onFocus={(event) => event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
        >
          <b>{formatNumber(counts.get(word) ?? 0)}</b> {label}
        </button>
      ))}
    </fieldset>
  )
}
