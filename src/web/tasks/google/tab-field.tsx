import { Autocomplete, type ComboboxParsedItem } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { spreadsheetMessages } from '../../../contract/spreadsheets/client-messages.ts'
import { type SpreadsheetRole, spreadsheetQuery } from './google-queries.ts'
import { spreadsheetIdIn } from './spreadsheet-field.tsx'

function matching(options: ComboboxParsedItem[], search: string): ComboboxParsedItem[] {
  const isMatch = ({ value }: { value: string }) => value.toLowerCase().includes(search)
  return options.flatMap((option) => {
    if ('value' in option) return isMatch(option) ? option : []
    const items = option.items.filter(isMatch)
    return items.length > 0 ? { ...option, items } : []
  })
}

type Props = {
  label: string
  /** Value of the spreadsheet field. */
  spreadsheet: string
  /** Whether the task reads it or writes it. */
  purpose?: SpreadsheetRole
  placeholder?: string
  required?: boolean
  /** Message if the spreadsheet has no such sheet. */
  unknown: string
  /** Notes about an existing sheet. */
  known?: ReactNode
  value: string
  error?: ReactNode
  onChange: (value: string) => void
  'data-path'?: string
}

/** Sheet input: choose from the list of the spreadsheet, or type a name. */
export function TabField({
  spreadsheet,
  purpose = 'source',
  required,
  unknown,
  known: about,
  value,
  ...rest
}: Props) {
  const id = spreadsheetIdIn(spreadsheet)
  const { data } = useQuery({ ...spreadsheetQuery(id ?? '', purpose), enabled: id !== null })
  // A run writes whole tabs only.
  const tabs = data?.tabs.filter(({ kind }) => purpose === 'source' || kind === undefined) ?? []
  const titles = [...new Set(tabs.map(({ title }) => title))]
  const others = titles.filter((title) => tabs.find((tab) => tab.title === title)?.kind !== undefined)
  const known = titles.includes(value)
  return (
    <Autocomplete
      {...rest}
      value={value}
      withAsterisk={required}
      data={
        others.length === 0
          ? titles
          : [
              {
                group: spreadsheetMessages.tabs,
                items: titles.filter((title) => !others.includes(title)),
              },
              { group: spreadsheetMessages.other_tables, items: others },
            ]
      }
      // After a choice, the list offers all sheets again.
      filter={({ options, search }) => (known ? options : matching(options, search.toLowerCase()))}
      description={data && value ? (known ? about : unknown) : undefined}
    />
  )
}
