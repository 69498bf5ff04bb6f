import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ScheduleCalendar } from '../../../../contract/calendar/calls.ts'
import { calendarMessages as messages } from '../../../../contract/calendar/client-messages.ts'
import { FilterBar, FilterToggle } from '../../../ui/filter-bar.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { type CalendarAddress, dateOf } from './calendar-address.ts'
import classes from './toolbar.module.css'

type Props = {
  address: CalendarAddress
  calendar: ScheduleCalendar
  /** The shown time in words. */
  range: string
  pausedCount: number
  onStep: (steps: number) => void
  /** Changes parts of the address. */
  onChange: (changed: Partial<CalendarAddress>) => void
}

/** Search, and the way to another day or week. */
export function Toolbar({ address, calendar, range, pausedCount, onStep, onChange }: Props) {
  const { view, from, search, paused } = address
  const unit = view === 'week' ? 'week' : 'day'
  const { today } = calendar
  const goTo = (date: string | null) =>
    onChange({ from: date !== null && date > today ? date : null, hour: null })
  return (
    <div className={classes.bar}>
      <FilterBar
        search={
          <SearchInput
            aria-label="Search scheduled tasks"
            placeholder="Search by name, type or time"
            value={search}
            onChange={({ currentTarget }) => onChange({ search: currentTarget.value })}
          />
        }
        count={paused ? 1 : 0}
        onClear={search !== '' || paused ? () => onChange({ search: '', paused: false }) : null}
      >
        {(pausedCount > 0 || paused) && (
          <FilterToggle
            label={messages.paused_only(pausedCount)}
            pressed={paused}
            onPress={() => onChange({ paused: !paused })}
          />
        )}
      </FilterBar>
      <div className={classes.range}>
        <span aria-live="polite">{range}</span>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={`Previous ${unit}`}
          disabled={from === null}
          onClick={() => onStep(-1)}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
        <Button variant="default" disabled={from === null} onClick={() => goTo(null)}>
          {messages.today}
        </Button>
        <ActionIcon variant="default" size={36} aria-label={`Next ${unit}`} onClick={() => onStep(1)}>
          <IconChevronRight size={18} />
        </ActionIcon>
        <TextInput
          type="date"
          aria-label="First day"
          min={today}
          max="2099-12-31"
          value={from ?? today}
          onChange={({ currentTarget }) => {
            const date = dateOf(currentTarget.value)
            if (date) goTo(date)
          }}
        />
      </div>
    </div>
  )
}
