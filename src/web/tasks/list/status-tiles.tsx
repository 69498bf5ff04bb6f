import { formatNumber } from '../../lib/format.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import classes from './status-tiles.module.css'

type Props = {
  /** Counts by status. */
  counts: ReadonlyMap<string, number>
  chosen: readonly string[]
  onChoose: (statuses: string[]) => void
}

/** Number of tasks per status; selected tiles filter the list. */
export function StatusTiles({ counts, chosen, onChoose }: Props) {
  const shown = useDescriptor().statuses.filter(
    ({ name, is_brief }) => !is_brief || counts.has(name) || chosen.includes(name),
  )
  const toggle = (status: string) =>
    onChoose(chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status])
  return (
    <fieldset className={classes.tiles} aria-label="Filter by status" data-roving>
      {shown.map(({ name, label, tone }) => (
        <button
          key={name}
          type="button"
          className={classes.tile}
          data-tone={tone}
          data-empty={!counts.has(name) || undefined}
          aria-pressed={chosen.includes(name)}
          onClick={() => toggle(name)}
          // Browsers do not scroll to a focused tile that is partly visible.
          onFocus={(event) => event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
        >
          <b>{formatNumber(counts.get(name) ?? 0)}</b> {label}
        </button>
      ))}
    </fieldset>
  )
}
