import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { delimiterNames, encodingNames, type FileFormat } from '../../../contract/connections/file-formats.ts'
import { SpreadsheetOrFile } from '../../../contract/fields.ts'
import { isFilePath, isUpload } from '../../../contract/files/providers.ts'
import type { SpreadsheetTabs } from '../../../contract/spreadsheets/calls.ts'
import { spreadsheetMessages } from '../../../contract/spreadsheets/client-messages.ts'

import { formatCount } from '../../lib/format.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatMoment } from '../../lib/time-zone.ts'
import { type SpreadsheetRole, spreadsheetQuery, spreadsheetsQuery } from './google-queries.ts'
import classes from './spreadsheet-field.module.css'

/** The spreadsheet id in an id, an address or the path of a file; null if there is none. */
export const spreadsheetIdIn = (text: string): string | null => SpreadsheetOrFile.safeParse(text).data ?? null

const FileOptions = lazy(async () => ({ default: (await import('./file-options.tsx')).FileOptions }))

// A path that is still being typed names no file yet.
const isUnfinished = (text: string) => isFilePath(text) && !/\.[a-z]{3,4}$/i.test(text)

type Props = {
  label: string
  /** An id, an address or search text: the current input, which is what a submit would send. */
  value: string
  error?: ReactNode
  /** Whether the task reads it or writes it. */
  purpose?: SpreadsheetRole
  onChange: (value: string) => void
  'data-path'?: string
}

/** Spreadsheet input: search by name in the user's Drive, paste an id or address, or choose a file. */
export function SpreadsheetField({ label, value, error, purpose = 'source', onChange, ...rest }: Props) {
  const dropdown = useCombobox({ onDropdownClose: () => dropdown.resetSelectedOption() })
  const zone = useTimeZone()
  const [typing, setTyping] = useState(false)
  const [settled] = useDebouncedValue(value, 250)
  const text = typing ? settled : value
  const id = typing && isUnfinished(text) ? null : spreadsheetIdIn(text)
  const inFolder = isFilePath(text) && !isUpload(text)
  const chosen = useQuery({ ...spreadsheetQuery(id ?? '', purpose), enabled: id !== null })
  const search = typing && spreadsheetIdIn(settled) === null ? settled.trim() : ''
  const found = useQuery({
    ...spreadsheetsQuery(search),
    enabled: dropdown.dropdownOpened && !inFolder,
    placeholderData: keepPreviousData,
  })

  const pick = (picked: string) => {
    onChange(picked)
    const isFolder = picked === '' || picked.endsWith('/')
    setTyping(isFolder)
    dropdown.resetSelectedOption()
    if (!isFolder) dropdown.closeDropdown()
  }
  return (
    <Combobox store={dropdown} onOptionSubmit={pick} withinPortal>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...rest}
          label={label}
          withAsterisk
          placeholder={spreadsheetMessages.search}
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
        {!inFolder && found.isError && (
          <Combobox.Empty>
            {reasonOf(found.error, spreadsheetMessages.fetch_spreadsheets_failed)}
          </Combobox.Empty>
        )}
        {!inFolder && found.data?.length === 0 && (
          <Combobox.Empty>{spreadsheetMessages.spreadsheet_unknown}</Combobox.Empty>
        )}
        {!inFolder && found.isPending && <Combobox.Empty>Loading…</Combobox.Empty>}
        {/* always rendered: aria-controls of the input refers to it */}
        <Combobox.Options className={classes.options} aria-label={`Spreadsheets for ${label}`}>
          <Suspense>
            <FileOptions
              text={isUpload(text) ? '' : text}
              value={value}
              isTyping={typing}
              isTarget={purpose === 'target'}
            />
          </Suspense>
          {(inFolder ? [] : found.data)?.map(({ id, name, owner, modified_at }) => (
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

function Chosen({ query }: { query: ReturnType<typeof useQuery<SpreadsheetTabs>> }) {
  if (query.isError)
    return (
      <span className={classes.problem}>{reasonOf(query.error, spreadsheetMessages.fetch_tabs_failed)}</span>
    )
  if (!query.data) return 'Looking it up…'
  const { id, tabs, format, is_new, state } = query.data
  if (is_new) return `${spreadsheetMessages.file_new} ${id}`
  const kind = format ? formatText(format) : formatCount(tabs.length, 'sheet')
  return (
    <>
      <span className={classes.chosen}>{`${kind} · ${id}`}</span>
      {state}
    </>
  )
}

const formatText = ({ delimiter, encoding, quote }: FileFormat) =>
  `CSV, ${delimiterNames[delimiter]?.toLowerCase() ?? delimiter}, ${encodingNames[encoding] ?? encoding}, quote ${quote}`
