import { ActionIcon, Button } from '@mantine/core'
import { IconFilter, IconFilterOff } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import classes from './filter-bar.module.css'

type Props = {
  /** The search field, always visible. */
  search: ReactNode
  /** How many of the filters below are set; a phone shows the number on the button that opens them. */
  count: number
  /** Removes search and filters; null if none is set. */
  onClear: (() => void) | null
  /** Applies the filters; without it, each applies when it is changed. */
  onApply?: () => void
  /** The filters: Choice, FilterToggle, Switch, or fields with a label. */
  children?: ReactNode
  /** Content after the filters: what is not a filter. */
  end?: ReactNode
}

/**
 * Search and filters of a list: each with its label, one Tab stop for all filters, a button that clears them. On phones the filters
 * are behind a button.
 */
export function FilterBar({ search, count, onClear, onApply, children, end }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const bar = (
    <>
      <div className={classes.search}>{search}</div>
      {children && (
        <Button
          variant="default"
          className={classes.toggle}
          leftSection={<IconFilter size={17} aria-hidden />}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {count > 0 ? `Filters (${count})` : 'Filters'}
        </Button>
      )}
      <div className={classes.rest} data-roving={onApply ? undefined : true}>
        <div id={id} className={classes.filters} data-open={open}>
          {children}
          {onApply && (
            <Button type="submit" variant="default">
              Apply Filters
            </Button>
          )}
        </div>
        {onClear && (
          <ActionIcon
            variant="default"
            size={36}
            aria-label="Clear all filters"
            title="Clear all filters"
            onClick={onClear}
          >
            <IconFilterOff size={17} />
          </ActionIcon>
        )}
        {end && <div className={classes.end}>{end}</div>}
      </div>
    </>
  )
  if (!onApply) return <search className={classes.bar}>{bar}</search>
  return (
    <search>
      <form
        className={classes.bar}
        onSubmit={(event) => {
          event.preventDefault()
          onApply()
        }}
      >
        {bar}
      </form>
    </search>
  )
}

type ToggleProps = { label: string; pressed: boolean; onPress: () => void }

/** A filter that is on or off. */
export const FilterToggle = ({ label, pressed, onPress }: ToggleProps) => (
  <button type="button" className={classes.chip} aria-pressed={pressed} onClick={onPress}>
    {label}
  </button>
)
