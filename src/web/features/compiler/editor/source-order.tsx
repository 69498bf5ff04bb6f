import { ActionIcon, Input, Radio, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconX } from '@tabler/icons-react'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import { formatCount } from '../../../lib/format.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { SortableList } from '../../../ui/sortable-list.tsx'
import { type ConfigValues, withSources } from './config-form.ts'
import { useSourceChoices } from './source-choices.ts'
import classes from './source-order.module.css'

/** Selection and order of the sources, and the master among them. */
export function SourceOrder({ form }: { form: UseFormReturnType<ConfigValues> }) {
  const choices = useSourceChoices()
  const { values, errors } = form
  const set = (ids: number[]) => form.setValues(withSources(values, ids))
  const chosen = inOrder(
    choices.filter(({ id }) => values.source_task_ids.includes(id)),
    values.source_task_ids,
  )
  // with selectable sources, errors are shown beside them
  const [listError, masterError] =
    chosen.length > 0
      ? [errors.source_task_ids, errors.master_source_id]
      : [errors.source_task_ids ?? errors.master_source_id, undefined]
  const others = choices.filter(({ id }) => !values.source_task_ids.includes(id))
  return (
    <fieldset className={classes.sources}>
      <legend>
        Sources <span aria-hidden>*</span>
      </legend>
      <p>{compilerMessages.sources_hint}</p>
      {chosen.length > 0 && (
        <SortableList label="Sources in order" rows={chosen} onReorder={set}>
          {({ id, name, row_count }) => (
            <>
              <span className={classes.name}>
                {name}
                <small>
                  {row_count === null ? compilerMessages.no_rows_yet : formatCount(row_count, 'row')}
                </small>
              </span>
              <Radio
                name="master"
                label="Master"
                aria-label={`${name} is the master`}
                checked={values.master_source_id === id}
                aria-invalid={masterError !== undefined || undefined}
                aria-describedby={masterError === undefined ? undefined : 'master-error'}
                error={masterError !== undefined}
                onChange={() => form.setFieldValue('master_source_id', id)}
              />
              <ActionIcon
                aria-label={`Remove ${name}`}
                title="Remove"
                onClick={() => set(values.source_task_ids.filter((one) => one !== id))}
              >
                <IconX size={17} />
              </ActionIcon>
            </>
          )}
        </SortableList>
      )}
      <Select
        aria-label="Add a source"
        placeholder="Add a source…"
        searchable
        nothingFoundMessage="No source task"
        data={others.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={null}
        onChange={(id) => id !== null && set([...values.source_task_ids, Number(id)])}
        {...(listError && { error: listError })}
      />
      {masterError && <Input.Error id="master-error">{masterError}</Input.Error>}
    </fieldset>
  )
}
