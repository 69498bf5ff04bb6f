import { ActionIcon, Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { devLogMessages } from '../../../contract/dev-logs/client-messages.ts'
import { logMessages } from '../../../contract/logs/client-messages.ts'
import { LogLevel } from '../../../contract/tasks/schemas.ts'
import { formatNumber } from '../../lib/format.ts'
import { Choice } from '../../ui/choice.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import type { LogFilters } from './log-filters.ts'
import classes from './log-view.module.css'
import type { Match } from './use-match.ts'

type Props = {
  filters: LogFilters
  onFilter: (change: Partial<LogFilters>) => void
  /** Lines that the search finds, by level. */
  counts: Record<LogLevel, number> | undefined
  match: Match
  /** Lines that pass all filters. */
  count: number | undefined
  /** Text of the loaded lines, and their number. */
  copy: { text: () => string; lines: number }
}

const choices: { levels: LogLevel[]; label: string }[] = [
  { levels: ['WARNING', 'ERROR'], label: logMessages.warnings_and_errors },
  ...LogLevel.options.map((level) => ({ levels: [level], label: level })),
]

/** Search, level filter and copying of a log. Enter goes to the next match, Shift+Enter to the previous one. */
export function LogToolbar({ filters, onFilter, counts, match, count, copy }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const is_searched = filters.search.trim() !== ''
  const counted = (label: string, levels: readonly LogLevel[]) =>
    counts
      ? logMessages.level(label, formatNumber(levels.reduce((sum, level) => sum + counts[level], 0)))
      : label
  return (
    <FilterBar
      search={
        <SearchField
          label="Search the log"
          placeholder="Search the log"
          search={filters.search}
          typed={typed}
          onType={setTyped}
          onChange={(search) => onFilter({ search })}
          onEnter={(backwards) => (backwards ? match.previous() : void match.next())}
        />
      }
      count={filters.levels.length > 0 ? 1 : 0}
      onClear={
        is_searched || filters.levels.length > 0
          ? () => {
              setTyped(null)
              onFilter({ search: '', levels: [] })
            }
          : null
      }
      end={
        <div className={classes.end} data-roving>
          {is_searched && count !== undefined && count > 0 && <Matches match={match} count={count} />}
          <Button
            variant="default"
            leftSection={<IconCopy size={17} aria-hidden />}
            disabled={copy.lines === 0}
            onClick={() =>
              copyText(
                copy.text(),
                count !== undefined && copy.lines < count
                  ? logMessages.newest_copied(formatNumber(copy.lines), formatNumber(count))
                  : devLogMessages.dev_logs_copied,
              )
            }
          >
            Copy Logs
          </Button>
        </div>
      }
    >
      <Choice
        label="Level"
        all={counted(logMessages.all_levels, LogLevel.options)}
        options={choices.map(({ levels, label }) => ({
          value: levels.join(),
          label: counted(label, levels),
        }))}
        value={filters.levels.join()}
        onChange={(value) =>
          onFilter({ levels: choices.find(({ levels }) => levels.join() === value)?.levels ?? [] })
        }
      />
    </FilterBar>
  )
}

const Matches = ({ match, count }: { match: Match; count: number }) => (
  <div className={classes.match}>
    <ActionIcon
      variant="default"
      size={36}
      aria-label="Previous match"
      title="Previous match (Shift+Enter in the search)"
      onClick={match.previous}
    >
      <IconChevronUp size={16} aria-hidden />
    </ActionIcon>
    <ActionIcon
      variant="default"
      size={36}
      aria-label="Next match"
      title="Next match (Enter in the search)"
      onClick={() => void match.next()}
    >
      <IconChevronDown size={16} aria-hidden />
    </ActionIcon>
    <span role="status">
      {match.place > 0
        ? logMessages.match(formatNumber(match.place), formatNumber(count))
        : logMessages.matches(formatNumber(count))}
    </span>
  </div>
)
