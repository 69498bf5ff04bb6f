import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { sourceTaskTypes, type TaskType } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { useUnsavedInput } from '../../../lib/unsaved-input.ts'
import { ReadyByBar } from '../../../tasks/ready-by/ready-by-bar.tsx'
import { TypeChanges } from '../../../tasks/setting-changes/type-changes.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { allTypesQuery, sourceTypeForm } from '../api.ts'
import { listAddress } from '../components/type-paths.ts'
import { settingsOf, useTypeSave } from '../components/use-type-save.ts'
import { useCronError } from '../cron/cron-check.ts'
import { withDraft } from './dependency-rules.ts'
import { SourceFields } from './source-fields.tsx'
import {
  changedFields,
  newSourceBody,
  newSourceValues,
  type SourceValues,
  sourceLabels,
  sourceProblems,
  sourceValuesOf,
} from './source-form.ts'
import classes from './source-form-page.module.css'

const DeleteTypeDialog = lazy(async () => ({
  default: (await import('../components/delete-type-dialog.tsx')).DeleteTypeDialog,
}))

/** Page with the form of a new or existing source type. */
export function SourceFormPage({ type }: { type: TaskType | null }) {
  const navigate = useNavigate()
  const { key, state } = useLocation()
  const list = listAddress(state)
  const types = useQuery(allTypesQuery()).data ?? []
  const [leaving, setLeaving] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const leave = () => setLeaving(true)
  const complete = (values: SourceValues) => ({
    ...values,
    dependencies: [...withDraft(values.draft, values.dependencies, types, type?.id).dependencies],
  })
  const form = useForm<SourceValues>({ initialValues: type ? sourceValuesOf(type) : newSourceValues() })
  const save = useTypeSave({
    api: sourceTypeForm,
    type,
    form,
    valuesOf: sourceValuesOf,
    labels: sourceLabels,
    create: (values, gone) =>
      call(sourceTaskTypes.create, {
        body: { ...(gone && settingsOf(gone)), ...newSourceBody(complete(values)) },
      }),
    changesOf: (values, base) => changedFields(complete(values), sourceValuesOf(base)),
    onSaved: leave,
  })
  useUnsavedInput(form.isDirty() && !leaving)
  const stored = save.base && sourceValuesOf(save.base)
  const { is_scheduled, cron_schedule, dependencies, draft } = form.values
  const refusal = useCronError(is_scheduled ? cron_schedule : '', type?.id)
  const undecided = withDraft(draft, dependencies, types, type?.id).problem
  const problems = {
    ...sourceProblems(form.values, stored),
    ...(refusal !== null && cron_schedule !== stored?.cron_schedule && { cron_schedule: refusal }),
    ...(undecided !== null && { dependencies: undecided }),
  }
  const [first_problem] = Object.values(problems)
  const title = type ? taskTypeMessages.edit_source_task_type : taskTypeMessages.new_task_type
  return (
    <>
      <nav aria-label="Breadcrumb" className={classes.breadcrumb}>
        <ol>
          <li>
            <Link to={list}>Source Task Types</Link>
          </li>
          <li aria-current="page">{type?.name ?? taskTypeMessages.new_task_type}</li>
        </ol>
      </nav>
      <PageHeader title={title} {...(type && { detail: type.name })} />
      {type && <ReadyByBar subject={{ kind: 'type', id: type.id, name: type.name }} />}
      {save.base && <TypeChanges type={save.base} revert={save.revert} />}
      <form {...save.formProps} className={classes.form}>
        <FormNotice {...save.noticeProps} />
        <SourceFields form={form} problems={problems} types={types} type_id={type?.id} />
        <div className={classes.actions}>
          {type && (
            <Button variant="default" c="var(--error-text)" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          )}
          <p id="missing" className={classes.missing} role="status">
            {form.isDirty() && first_problem}
          </p>
          <Button variant="default" onClick={() => (key === 'default' ? navigate(list) : navigate(-1))}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={save.pending}
            disabled={first_problem !== undefined || Object.keys(form.errors).length > 0}
            aria-describedby="missing"
          >
            {save.base ? 'Update Task Type' : taskTypeMessages.create_task_type}
          </Button>
        </div>
      </form>
      <Suspense>
        {deleting && save.base && (
          <DeleteTypeDialog
            api={sourceTypeForm}
            type={save.base}
            onDeleted={leave}
            onClose={() => setDeleting(false)}
          />
        )}
      </Suspense>
      {leaving && <Navigate to={list} replace />}
    </>
  )
}
