import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import { limits } from '../../../../contract/limits.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { lineagePath } from '../../../tasks/lineage/lineage-path.ts'
import { ariaKeys, keyLabels, shortcuts } from '../../../ui/shortcuts.ts'
import { toast } from '../../../ui/toast.ts'
import { useShortcut } from '../../../ui/use-shortcut.ts'
import classes from './record-field-list.module.css'
import { RecordFieldRow } from './record-field-row.tsx'
import { type RecordField, searchFields } from './record-fields.ts'

type Props = { fields: readonly RecordField[]; record: { compiler_config_id: number; sku: string } }

/** Fields of a record, with a search box that its shortcut focuses. */
export function RecordFieldList({ fields, record }: Props) {
  const search = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [copied, setCopied] = useState<{ name: string } | null>(null)
  const find = () => {
    search.current?.focus()
    search.current?.select()
  }
  useShortcut('find_field', find)
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
  // if all fields are required, none is marked
  const some_required = fields.some(({ required }) => !required)
  return (
    <>
      <div className={classes.top}>
        <TextInput
          ref={search}
          className={classes.search}
          type="search"
          aria-label="Search fields"
          aria-keyshortcuts={ariaKeys(shortcuts.find_field)}
          placeholder={`Search fields (${keyLabels(shortcuts.find_field).join('+')})`}
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
              config_id={record.compiler_config_id}
              sku={record.sku}
              field={field}
              lineage={lineagePath({ ...record, field: field.name })}
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
