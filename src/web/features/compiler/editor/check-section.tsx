import { Autocomplete, Input } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import {
  checkLabels,
  keepOutLabels,
  severityLabels,
} from '../../../../contract/field-checks/describe-checks.ts'
import { canKeepOut } from '../../../../contract/field-checks/field-checks.ts'
import { FoldedSection } from '../../../ui/folded-section.tsx'
import { LineList } from '../../../ui/line-list.tsx'
import { CheckArguments } from './check-arguments.tsx'
import classes from './check-count-line.module.css'
import { CheckCountLine } from './check-count-line.tsx'
import { checkError, newCheck } from './check-form.ts'
import type { ConfigValues } from './config-form.ts'
import { LabelledChoice } from './labelled-choice.tsx'

type Props = {
  form: UseFormReturnType<ConfigValues>
  fields: string[]
  /** The edited configuration, whose records are counted; null for a new one. */
  config_id: number | null
}

/** Section with the checks of fields. */
export function CheckSection({ form, fields, config_id }: Props) {
  const { field_checks } = form.values
  // Only this check is counted, so that opening the editor does not count all of them.
  const errors = field_checks.map(checkError)
  const first = errors.findIndex((error) => error !== null)
  const [edited, setEdited] = useState<number | null>(null)
  return (
    <FoldedSection
      title="Checks"
      hint={compilerMessages.checks_hint}
      state={field_checks.length > 0 ? String(field_checks.length) : 'none'}
      error={form.errors.field_checks}
    >
      <LineList
        framed
        name="Check"
        lines={field_checks}
        blank={newCheck('required')}
        onFocus={setEdited}
        onChange={(checks) => {
          if (checks.length < field_checks.length) setEdited(null)
          form.setFieldValue('field_checks', checks)
        }}
      >
        {(check, change, number) => (
          <>
            <Autocomplete
              aria-label={`Field of check ${number}`}
              // A failed save moves the focus here.
              {...(number === first + 1 && { 'data-path': 'field_checks' })}
              placeholder="Field"
              data={fields}
              value={check.field}
              onChange={(field) => change({ ...check, field })}
            />
            <LabelledChoice
              label={`Kind of check ${number}`}
              labels={checkLabels}
              value={check.kind}
              onChange={(kind) => change(newCheck(kind, check))}
            />
            <CheckArguments check={check} number={number} fields={fields} onChange={change} />
            <LabelledChoice
              label={`Severity of check ${number}`}
              labels={severityLabels}
              value={check.severity}
              onChange={(severity) => change({ ...check, severity })}
            />
            {canKeepOut(check.kind) && (
              <LabelledChoice
                label={`Values that fail check ${number}`}
                labels={keepOutLabels}
                value={check.keep_out}
                onChange={(keep_out) => change({ ...check, keep_out })}
              />
            )}
            {form.errors.field_checks && errors[number - 1] && (
              <Input.Error className={classes.error}>{errors[number - 1]}</Input.Error>
            )}
            {config_id !== null && edited === number && (
              <CheckCountLine key={check.kind} config_id={config_id} check={check} />
            )}
          </>
        )}
      </LineList>
    </FoldedSection>
  )
}
