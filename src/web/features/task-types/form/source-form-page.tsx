import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { messages } from '../../../../contract/screen-messages.ts'
import { sourceTaskTypes, type TaskType } from '../../../../contract/task-types.ts'
import { call } from '../../../lib/call.ts'
import { useUnsavedInput } from '../../../lib/unsaved-input.ts'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { allTypesQuery, sourceTypeForm } from '../api.ts'
import { LIST_PATH } from '../components/type-paths.ts'
import { useTypeSave } from '../components/use-type-save.ts'
import { SourceFields } from './source-fields.tsx'
import {
  changedFields,
  newSourceBody,
  newSourceValues,
  type SourceValues,
  sourceProblems,
  sourceValuesOf,
} from './source-form.ts'
import classes from './source-form-page.module.css'

const DeleteTypeDialog = lazy(async () => ({
  default: (await import('../components/delete-type-dialog.tsx')).DeleteTypeDialog,
}))

/** The whole of a source type as a form: a new one, or one that is edited. */
export function SourceFormPage({ type }: { type: TaskType | null }) {
  const navigate = useNavigate()
  const { key } = useLocation()
  const types = useQuery(allTypesQuery()).data ?? []
  const [leaving, setLeaving] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const leave = () => setLeaving(true)
  const form = useForm<SourceValues>({ initialValues: type ? sourceValuesOf(type) : newSourceValues() })
  const save = useTypeSave({
    api: sourceTypeForm,
    type,
    form,
    valuesOf: sourceValuesOf,
    create: (values) => call(sourceTaskTypes.create, { body: newSourceBody(values) }),
    changesOf: (values, base) => changedFields(values, sourceValuesOf(base)),
    onSaved: leave,
  })
  useUnsavedInput(form.isDirty() && !leaving)
  const problems = sourceProblems(form.values, save.base && sourceValuesOf(save.base))
  const [first_problem] = Object.values(problems)
  const title = type ? messages.edit_source_task_type : messages.new_task_type
  return (
    <>
      <nav aria-label="Breadcrumb" className={classes.breadcrumb}>
        <ol>
          <li>
            <Link to={LIST_PATH}>Source Task Types</Link>
          </li>
          <li aria-current="page">{type?.name ?? messages.new_task_type}</li>
        </ol>
      </nav>
      <PageHeader title={title} {...(type && { detail: type.name })} />
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
          <Button variant="default" onClick={() => (key === 'default' ? navigate(LIST_PATH) : navigate(-1))}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={save.pending}
            disabled={first_problem !== undefined || Object.keys(form.errors).length > 0}
            aria-describedby="missing"
          >
            {type ? 'Update Task Type' : messages.create_task_type}
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
      {leaving && <Navigate to={LIST_PATH} />}
    </>
  )
}
