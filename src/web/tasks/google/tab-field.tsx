import { Autocomplete } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { spreadsheetQuery } from './google-queries.ts'
import { spreadsheetIdIn } from './spreadsheet-field.tsx'

type Props = {
  label: string
  /** The spreadsheet field beside it. */
  spreadsheet: string
  placeholder?: string
  required?: boolean
  /** What it means when the spreadsheet has no such sheet. */
  unknown: string
  /** What there is to say of a sheet that it has. */
  known?: ReactNode
  value: string
  error?: ReactNode
  onChange: (value: string) => void
  'data-path'?: string
}

/** A sheet of a spreadsheet: chosen from its list, or typed. */
export function TabField({ spreadsheet, required, unknown, known: about, value, ...rest }: Props) {
  const id = spreadsheetIdIn(spreadsheet)
  const { data } = useQuery({ ...spreadsheetQuery(id ?? ''), enabled: id !== null })
  const titles = data?.tabs.map(({ title }) => title) ?? []
  const known = titles.includes(value)
  return (
    <Autocomplete
      {...rest}
      value={value}
      withAsterisk={required}
      data={titles}
      // once a sheet is chosen, the list offers all of them again
      filter={({ options, search }) =>
        known
          ? options
          : options.filter(
              (option) => 'value' in option && option.value.toLowerCase().includes(search.toLowerCase()),
            )
      }
      description={data && value ? (known ? about : unknown) : undefined}
    />
  )
}
