import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { type Connection, connections } from '../../../../contract/connections/calls.ts'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'
import { CallError, call } from '../../../lib/call.ts'
import { useUnsavedInput } from '../../../lib/unsaved-input.ts'
import { useFormSave } from '../../../lib/use-form-save.ts'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { FormSection } from '../../../ui/form-section.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { toast } from '../../../ui/toast.ts'
import { AllowHost } from './allow-host.tsx'
import { ApiFields } from './api-fields.tsx'
import { connectionsQuery } from './connection-calls.ts'
import {
  type ConnectionValues,
  fieldOf,
  formErrors,
  hostEntryOf,
  newValues,
  settingsOf,
  valuesOf,
} from './connection-form.ts'
import classes from './connection-form-page.module.css'
import { DatabaseFields } from './database-fields.tsx'
import { TestResult } from './test-result.tsx'
import { useConnectionTest } from './use-connection-test.ts'

const kinds = [
  { value: 'api', label: 'HTTP API' },
  { value: 'database', label: 'Database' },
]
const SETTINGS = '/settings'

/** Form of a new or existing connection, and the result of its test. */
export function ConnectionFormPage({ connection }: { connection: Connection | null }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  // the version that the form is based on; after a conflict, the newer version
  const [base, setBase] = useState(connection)
  const [saved, setSaved] = useState<Connection | null>(null)
  const [adding, setAdding] = useState(false)
  const form = useForm<ConnectionValues>({
    initialValues: connection ? valuesOf(connection) : newValues,
    validate: (values) => formErrors(values, 'all'),
  })
  const test = useConnectionTest(form, base?.id ?? null)
  const readFresh = async (edited: Connection) => {
    const now = await client.fetchQuery({ ...connectionsQuery, staleTime: 0 })
    const fresh = now.find(({ id }) => id === edited.id)
    if (!fresh) throw new CallError(404, connectionMessages.gone)
    setBase(fresh)
    return { start: valuesOf(edited), fresh: valuesOf(fresh) }
  }
  const save = useFormSave({
    form,
    fieldOf,
    send: (values) => {
      const body = { name: values.name.trim(), settings: settingsOf(values) }
      if (!base) return call(connections.create, { body })
      const { id, updated_at } = base
      return call(connections.update, { params: { id }, body: { ...body, updated_at } })
    },
    onSaved: (reply) => {
      toast.success(base ? connectionMessages.updated : connectionMessages.added)
      void client.invalidateQueries(connectionsQuery)
      void client.invalidateQueries({ queryKey: [connections.names.path] })
      setSaved(reply)
    },
    failure: connectionMessages.save_failed,
    ...(base && { readFresh: () => readFresh(base) }),
  })
  useUnsavedInput(form.isDirty() && saved === null)
  if (saved && adding) {
    const add = { name: saved.name, source_type: saved.kind, source_identifier: saved.name }
    return <Navigate to="/source_tasks" state={{ add }} />
  }
  if (saved) return <Navigate to={SETTINGS} />
  const { values } = form
  const refused = test.error instanceof CallError ? test.error.code : undefined
  const entry = [refused, save.code].includes('host_not_allowed') ? hostEntryOf(values) : null
  return (
    <>
      <PageHeader
        title={connection ? connectionMessages.edit_title : connectionMessages.new_title}
        {...(connection && { detail: connection.name })}
        back={{ to: SETTINGS, label: 'Back to Settings' }}
      />
      <div className={classes.page}>
        <form {...save.formProps} aria-label={connectionMessages.title}>
          <FormNotice {...save.noticeProps} />
          <FormSection title="Connection">
            {!connection && (
              <SegmentedControl
                aria-label="Kind of connection"
                data={kinds}
                {...form.getInputProps('kind')}
              />
            )}
            <TextInput
              label="Name"
              withAsterisk
              autoFocus={!connection}
              placeholder="Shop_API"
              description={connectionMessages.name_hint}
              {...form.getInputProps('name')}
            />
          </FormSection>
          {values.kind === 'api' ? <ApiFields form={form} /> : <DatabaseFields form={form} />}
          <div className={classes.actions}>
            <Button variant="default" onClick={() => navigate(SETTINGS)}>
              Cancel
            </Button>
            <Button variant="default" onClick={test.start} loading={test.isPending}>
              {connectionMessages.test}
            </Button>
            {!connection && (
              <Button
                type="submit"
                variant="default"
                loading={save.pending && adding}
                onClick={() => setAdding(true)}
              >
                {connectionMessages.save_and_add}
              </Button>
            )}
            <Button type="submit" loading={save.pending && !adding} onClick={() => setAdding(false)}>
              Save
            </Button>
          </div>
        </form>
        <TestResult
          pending={test.isPending}
          error={test.error}
          result={test.data ?? null}
          filled={test.filled}
          is_outdated={test.data !== undefined && !matches(values, test.tested)}
          action={
            entry && (
              <AllowHost
                host={entry}
                onAllowed={() => {
                  form.clearErrors()
                  test.start()
                }}
              />
            )
          }
        />
      </div>
    </>
  )
}

// values that cannot be parsed differ from those that were tested
const matches = (values: ConnectionValues, tested: string) =>
  Object.keys(formErrors(values, 'settings')).length === 0 && JSON.stringify(settingsOf(values)) === tested
