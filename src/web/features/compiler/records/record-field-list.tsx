import { TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import { limits } from '../../../../contract/limits.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { toast } from '../../../ui/toast.ts'
import classes from './record-field-list.module.css'
import { RecordFieldRow } from './record-field-row.tsx'
import { type RecordField, searchFields } from './record-fields.ts'

/** The fields of a record, to be searched with Ctrl or Cmd and K. */
export function RecordFieldList({ fields }: { fields: readonly RecordField[] }) {
  const search = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [copied, setCopied] = useState<{ name: string } | null>(null)
  const find = () => {
    search.current?.focus()
    search.current?.select()
  }
  // within other fields as well
  useHotkeys([['mod+K', find]], [])
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), limits.copy_notice_ms)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = ({ name, value, number_format }: RecordField) =>
    navigator.clipboard.writeText(cellText(value, number_format)).then(
      () => setCopied({ name }),
      () => toast.error(compilerMessages.copy_failed),
    )
  const shown = searchFields(fields, typed)
  // where all are, none of them needs to say so
  const some_required = fields.some(({ required }) => !required)
  return (
    <>
      <div className={classes.top}>
        <TextInput
          ref={search}
          className={classes.search}
          type="search"
          aria-label="Search fields"
          aria-keyshortcuts="Control+K Meta+K"
          placeholder="Search fields (Ctrl+K)"
          leftSection={<IconSearch size={17} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <span role="status" className={classes.copied}>
          {copied && compilerMessages.copied(copied.name)}
        </span>
      </div>
      {shown.length === 0 ? (
        <p className={classes.nothing}>{compilerMessages.no_field_found}</p>
      ) : (
        <ul className={classes.fields} aria-label="Fields">
          {shown.map((field) => (
            <RecordFieldRow
              key={field.name}
              field={field}
              is_required={some_required && field.required}
              is_copied={copied?.name === field.name}
              onCopy={() => void copy(field)}
            />
          ))}
        </ul>
      )}
    </>
  )
}
