import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { SpreadsheetId } from '../../../contract/fields.ts'
import { spreadsheetMessages } from '../../../contract/spreadsheets/client-messages.ts'

import { formatCount } from '../../lib/format.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatMoment } from '../../lib/time-zone.ts'
import { spreadsheetQuery, spreadsheetsQuery } from './google-queries.ts'
import classes from './spreadsheet-field.module.css'

/** The spreadsheet id in what was typed or pasted; null where there is none. */
export const spreadsheetIdIn = (text: string): string | null => SpreadsheetId.safeParse(text).data ?? null

type Props = {
  label: string
  /** An id, an address, or words still being searched for: whatever would be submitted. */
  value: string
  error?: ReactNode
  onChange: (value: string) => void
  'data-path'?: string
}

/** A spreadsheet, picked from the person's Drive by name, or pasted as id or address. */
export function SpreadsheetField({ label, value, error, onChange, ...rest }: Props) {
  const dropdown = useCombobox({ onDropdownClose: () => dropdown.resetSelectedOption() })
  const zone = useTimeZone()
  const [typing, setTyping] = useState(false)
  const [settled] = useDebouncedValue(value, 250)
  const id = spreadsheetIdIn(typing ? settled : value)
  const chosen = useQuery({ ...spreadsheetQuery(id ?? ''), enabled: id !== null })
  const search = typing && spreadsheetIdIn(settled) === null ? settled.trim() : ''
  const found = useQuery({
    ...spreadsheetsQuery(search),
    enabled: dropdown.dropdownOpened,
    placeholderData: keepPreviousData,
  })

  const pick = (picked: string) => {
    onChange(picked)
    setTyping(false)
    dropdown.closeDropdown()
  }
  return (
    <Combobox store={dropdown} onOptionSubmit={pick} withinPortal>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...rest}
          label={label}
          withAsterisk
          placeholder="Search, or paste an id or address"
          autoComplete="off"
          value={typing ? value : (chosen.data?.name ?? value)}
          error={error}
          description={id !== null && <Chosen query={chosen} />}
          rightSection={(chosen.isFetching || found.isFetching) && <Loader size={16} />}
          onFocus={(event) => event.currentTarget.select()}
          onClick={() => dropdown.openDropdown()}
          onBlur={() => {
            setTyping(false)
            dropdown.closeDropdown()
          }}
          onChange={(event) => {
            setTyping(true)
            onChange(event.currentTarget.value)
            dropdown.openDropdown()
            dropdown.updateSelectedOptionIndex()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        {found.isError && (
          <Combobox.Empty>
            {reasonOf(found.error, spreadsheetMessages.fetch_spreadsheets_failed)}
          </Combobox.Empty>
        )}
        {found.data?.length === 0 && (
          <Combobox.Empty>{spreadsheetMessages.spreadsheet_unknown}</Combobox.Empty>
        )}
        {found.isPending && <Combobox.Empty>Loading…</Combobox.Empty>}
        {/* always there: the input names it as what it controls */}
        <Combobox.Options
          className={classes.options}
          aria-label={`Spreadsheets for ${label}`}
          hidden={!found.data?.length}
        >
          {found.data?.map(({ id, name, owner, modified_at }) => (
            <Combobox.Option key={id} value={id} active={id === value}>
              <div className={classes.name}>{name}</div>
              <div className={classes.meta}>
                {[owner, modified_at && `changed ${formatMoment(modified_at, zone)}`]
                  .filter(Boolean)
                  .join(' · ')}
              </div>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function Chosen({ query }: { query: ReturnType<typeof useQuery<{ id: string; tabs: unknown[] }>> }) {
  if (query.isError)
    return (
      <span className={classes.problem}>{reasonOf(query.error, spreadsheetMessages.fetch_tabs_failed)}</span>
    )
  if (!query.data) return 'Looking it up…'
  return (
    <span
      className={classes.chosen}
    >{`${formatCount(query.data.tabs.length, 'sheet')} · ${query.data.id}`}</span>
  )
}
