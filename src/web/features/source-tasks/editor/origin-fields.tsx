import { NumberInput, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import { isFilePath } from '../../../../contract/files/providers.ts'
import { limits } from '../../../../contract/limits.ts'
import { sourceDialogMessages } from '../../../../contract/source-tasks/dialog-messages.ts'
import { spreadsheetMessages } from '../../../../contract/spreadsheets/client-messages.ts'

import { useSession } from '../../../lib/session.ts'
import { tasksQuery } from '../../../tasks/cache/list-queries.ts'
import { SpreadsheetField } from '../../../tasks/google/spreadsheet-field.tsx'
import { TabField } from '../../../tasks/google/tab-field.tsx'
import { configsQuery, connectionsQuery } from '../components/dialog-calls.ts'
import { sourceTaskModel } from '../components/model.ts'
import classes from './origin-fields.module.css'
import type { TaskValues } from './task-form.ts'

const FileFields = lazy(async () => ({ default: (await import('../uploads/file-fields.tsx')).FileFields }))

type Props = {
  form: UseFormReturnType<TaskValues>
  className: string | undefined
  /** Id of the edited task, which cannot be its own source. */
  task_id: number | null
}

/** Fields of the chosen source type. */
export function OriginFields({ form, className, task_id }: Props) {
  const { values } = form
  switch (values.source_type) {
    case null:
      return null
    case 'sheet':
      return (
        <>
          <SpreadsheetField
            label="Source spreadsheet"
            {...form.getInputProps('spreadsheet_id')}
            value={values.spreadsheet_id}
          />
          <Suspense>
            <FileFields form={form} className={className} />
          </Suspense>
          <TabField
            label="Source sheet name"
            required={!isFilePath(values.spreadsheet_id)}
            {...(isFilePath(values.spreadsheet_id) && { placeholder: 'First sheet' })}
            spreadsheet={values.spreadsheet_id}
            unknown={spreadsheetMessages.tab_unknown}
            {...form.getInputProps('sheet_name')}
            value={values.sheet_name}
          />
          <NumberInput
            className={className}
            label="Start row"
            description={sourceDialogMessages.start_row_hint}
            min={1}
            max={limits.start_row_max}
            allowDecimal={false}
            {...form.getInputProps('start_row')}
          />
          <TextInput
            className={className}
            label="Source Identifier"
            description={sourceDialogMessages.identifier_hint}
            {...form.getInputProps('source_identifier')}
          />
        </>
      )
    case 'internal':
      return <InternalField form={form} className={className} task_id={task_id} />
    case 'api':
    case 'database':
      return <ConnectionField form={form} className={className} kind={values.source_type} />
  }
}

type Option = { value: string; label: string }
type Group = { group: string; items: Option[] }

function IdentifierSelect({
  form,
  className,
  label,
  placeholder,
  hint,
  groups,
}: Pick<Props, 'form' | 'className'> & {
  label: string
  placeholder: string
  hint?: ReactNode
  groups: Group[] | null
}) {
  const { source_identifier } = form.values
  const { onChange, ...input } = form.getInputProps('source_identifier')
  const known = groups?.some(({ items }) => items.some(({ value }) => value === source_identifier))
  const gone = groups !== null && source_identifier !== '' && !known
  return (
    <Select
      {...input}
      className={className}
      label={label}
      description={hint}
      placeholder={placeholder}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      data={[
        ...(groups ?? []),
        ...(gone
          ? [
              {
                group: '',
                items: [{ value: source_identifier, label: sourceDialogMessages.gone(source_identifier) }],
              },
            ]
          : []),
      ]}
      value={source_identifier || null}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}

function ConnectionField({
  kind,
  ...rest
}: Pick<Props, 'form' | 'className'> & { kind: 'api' | 'database' }) {
  const { data } = useQuery(connectionsQuery)
  const is_admin = useSession()?.is_admin
  const items = data
    ?.filter((connection) => connection.kind === kind)
    .map(({ name }) => ({ value: name, label: name }))
  return (
    <IdentifierSelect
      {...rest}
      label="Connection"
      placeholder={items?.length === 0 ? sourceDialogMessages.no_connections : 'Choose a connection'}
      {...(items?.length === 0 && {
        hint: is_admin ? (
          <Link to="/settings/connections/new" className={classes.add}>
            {sourceDialogMessages.add_connection}
          </Link>
        ) : (
          sourceDialogMessages.no_connections_hint
        ),
      })}
      groups={items ? [{ group: 'Connections', items }] : null}
    />
  )
}

function InternalField({ task_id, ...rest }: Props) {
  const tasks = useQuery(tasksQuery(sourceTaskModel)).data
  const configs = useQuery(configsQuery).data
  const groups = tasks &&
    configs && [
      {
        group: 'Source tasks',
        items: tasks
          .filter(({ id }) => id !== task_id)
          .map(({ id, name }) => ({ value: `task-${id}`, label: name })),
      },
      {
        group: 'Compiler configurations',
        items: configs.map(({ id, name }) => ({ value: `config-${id}`, label: name })),
      },
    ]
  return (
    <IdentifierSelect
      {...rest}
      label="Rows of"
      placeholder="Choose a source task or a configuration"
      groups={groups ?? null}
    />
  )
}
