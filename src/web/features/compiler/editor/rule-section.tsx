import { Autocomplete, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import {
  caseLabels,
  codeLabels,
  dateOrderLabels,
  localeLabels,
  partLabels,
  stepLabels,
} from '../../../../contract/field-checks/describe-checks.ts'
import type { RuleStep } from '../../../../contract/field-checks/field-checks.ts'
import { FoldedSection } from '../../../ui/folded-section.tsx'
import { LineList } from '../../../ui/line-list.tsx'
import { newStep } from './check-form.ts'
import type { ConfigValues } from './config-form.ts'
import { LabelledChoice } from './labelled-choice.tsx'
import classes from './rule-section.module.css'

/** Section with the normalisation of fields. */
export function RuleSection({ form, fields }: { form: UseFormReturnType<ConfigValues>; fields: string[] }) {
  const { field_rules } = form.values
  return (
    <FoldedSection
      title="Normalisation"
      hint={compilerMessages.rules_hint}
      state={field_rules.length > 0 ? String(field_rules.length) : 'none'}
      error={form.errors.field_rules}
    >
      <LineList
        framed
        name="Normalised field"
        lines={field_rules}
        blank={{ field: '', steps: [newStep('trim')] }}
        onChange={(rules) => form.setFieldValue('field_rules', rules)}
      >
        {(rule, change, number) => (
          <>
            <Autocomplete
              aria-label={`Normalised field ${number}`}
              placeholder="Field"
              data={fields}
              value={rule.field}
              onChange={(field) => change({ ...rule, field })}
            />
            <div className={classes.steps}>
              <LineList
                name="Step"
                lines={rule.steps}
                blank={newStep('trim')}
                onChange={(steps) => change({ ...rule, steps })}
              >
                {(step, changeStep, at) => (
                  <>
                    <LabelledChoice
                      label={`Step ${at} of field ${number}`}
                      labels={stepLabels}
                      value={step.kind}
                      onChange={(kind) => changeStep(newStep(kind))}
                    />
                    <StepArguments
                      step={step}
                      label={`step ${at} of field ${number}`}
                      onChange={changeStep}
                    />
                  </>
                )}
              </LineList>
            </div>
          </>
        )}
      </LineList>
    </FoldedSection>
  )
}

type StepProps = { step: RuleStep; label: string; onChange: (step: RuleStep) => void }

function StepArguments({ step, label, onChange }: StepProps) {
  switch (step.kind) {
    case 'trim':
      return null
    case 'case':
      return (
        <LabelledChoice
          label={`Case, ${label}`}
          labels={caseLabels}
          value={step.to}
          onChange={(to) => onChange({ ...step, to })}
        />
      )
    case 'date':
      return (
        <LabelledChoice
          label={`Order, ${label}`}
          labels={dateOrderLabels}
          value={step.order}
          onChange={(order) => onChange({ ...step, order })}
        />
      )
    case 'zeros':
      return (
        <LabelledChoice
          label={`Code, ${label}`}
          labels={codeLabels}
          value={step.code}
          onChange={(code) => onChange({ ...step, code })}
        />
      )
    case 'map':
      return <Replacements step={step} label={label} onChange={onChange} />
    default:
      return (
        <>
          <LabelledChoice
            label={`Notation, ${label}`}
            labels={localeLabels}
            value={step.locale}
            onChange={(locale) => onChange({ ...step, locale })}
          />
          {step.kind === 'amount' && (
            <LabelledChoice
              label={`Part, ${label}`}
              labels={partLabels}
              value={step.part}
              onChange={(part) => onChange({ ...step, part })}
            />
          )}
        </>
      )
  }
}

type MapProps = Omit<StepProps, 'step'> & { step: RuleStep & { kind: 'map' } }

const Replacements = ({ step, label, onChange }: MapProps) => (
  <div className={classes.steps}>
    <LineList
      name="Replacement"
      lines={step.values}
      blank={{ from: '', to: '' }}
      onChange={(values) => onChange({ ...step, values })}
    >
      {(line, change, number) => (
        <>
          <TextInput
            aria-label={`Value ${number}, ${label}`}
            placeholder="Value"
            value={line.from}
            onChange={({ currentTarget: { value } }) => change({ ...line, from: value })}
          />
          <TextInput
            aria-label={`Replacement ${number}, ${label}`}
            placeholder="becomes"
            value={line.to}
            onChange={({ currentTarget: { value } }) => change({ ...line, to: value })}
          />
        </>
      )}
    </LineList>
  </div>
)
