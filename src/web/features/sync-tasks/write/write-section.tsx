import { Checkbox } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { writeLabels } from '../../../../contract/rows/write-labels.ts'
import { writeMessages as messages } from '../../../../contract/sync-tasks/dialog-messages.ts'
import { FoldedSection } from '../../../ui/folded-section.tsx'
import type { TaskValues } from '../editor/task-form.ts'
import { useRowSample } from '../editor/use-row-sample.ts'
import { ChoiceField } from './choice-field.tsx'
import { KeysField } from './keys-field.tsx'
import { MissingFields } from './missing-fields.tsx'
import { ModeField } from './mode-field.tsx'
import { SourcesField } from './sources-field.tsx'
import { SplitFields } from './split-fields.tsx'

type Form = UseFormReturnType<TaskValues>
type Props = {
  form: Form
  /** Runs of the task have only warned of cells beside the table so far. */
  hasOnlyWarned: boolean
}

/** How rows come into the target: mode and key first, the rest folded. */
export function WriteSection({ form, hasOnlyWarned }: Props) {
  const { values, errors } = form
  const { write_mode, split_by } = values
  const [isSplitting, setIsSplitting] = useState(false)
  const { sample } = useRowSample(values, write_mode !== 'replace' || split_by !== null || isSplitting)
  // Other settings cannot say which rows are missing.
  const set = (changes: Partial<TaskValues>) => {
    const { write_mode: mode, split_by: column } = { ...values, ...changes }
    form.setValues({ ...changes, ...(mode !== 'update' && column === null && { on_missing: 'keep' }) })
  }
  return (
    <>
      <ModeField mode={write_mode} onChange={(mode) => set({ write_mode: mode })} />
      {write_mode !== 'replace' && (
        <KeysField
          values={values}
          sample={sample}
          error={errors.key_columns}
          onChange={(key_columns) => set({ key_columns })}
        />
      )}
      <div>
        {(write_mode === 'update' || split_by !== null) && (
          <FoldedSection
            title={messages.missing_title}
            hint={write_mode === 'update' ? messages.missing_hint : messages.missing_tabs_hint}
            state={writeLabels.on_missing[values.on_missing].toLowerCase()}
            error={errors.on_missing ?? ((errors.mark_column || errors.mark_text) && messages.mend)}
          >
            <MissingFields values={values} errors={errors} onChange={set} />
          </FoldedSection>
        )}
        <PlacesFields form={form} hasOnlyWarned={hasOnlyWarned} onChange={set} />
        <FoldedSection
          title={messages.sources_title}
          hint={messages.sources_hint}
          state={messages.sources_state(values.more_sources.length)}
          error={errors.more_sources}
        >
          <SourcesField sources={values.more_sources} onChange={(more_sources) => set({ more_sources })} />
        </FoldedSection>
        {(write_mode === 'replace' || split_by !== null) && (
          <FoldedSection
            title={messages.split_title}
            hint={messages.split_hint}
            state={split_by ?? 'off'}
            error={(errors.split_by || errors.split_tab_name) && messages.mend}
            onToggle={setIsSplitting}
          >
            <SplitFields values={values} errors={errors} sample={sample} onChange={set} />
          </FoldedSection>
        )}
      </div>
    </>
  )
}

type PlacesProps = Props & { onChange: (values: Partial<TaskValues>) => void }

/** What the mode does where rows or columns are not where they are expected. */
function PlacesFields({ form: { values, errors }, hasOnlyWarned, onChange }: PlacesProps) {
  const { write_mode, key_columns, on_bad_keys, on_cells_beside, find_columns_by_header } = values
  const beside = on_cells_beside ?? 'fail'
  const states = [
    key_columns.length > 0 && write_mode !== 'replace' && writeLabels.on_bad_keys[on_bad_keys].toLowerCase(),
    find_columns_by_header ? 'columns by header' : 'columns by position',
  ].filter((state) => state !== false)
  return (
    <>
      {write_mode === 'replace' && (
        <FoldedSection
          title={messages.beside_title}
          hint={hasOnlyWarned ? `${messages.beside_hint} ${messages.beside_earlier}` : messages.beside_hint}
          state={writeLabels.on_cells_beside[beside].toLowerCase()}
          error={errors.on_cells_beside}
        >
          <ChoiceField
            setting="on_cells_beside"
            label="If notes would end up beside another row"
            options={['fail', 'warn']}
            value={beside}
            onChange={(chosen) => onChange({ on_cells_beside: chosen })}
          />
        </FoldedSection>
      )}
      <FoldedSection title={messages.bad_keys_title} state={states.join(' · ')} error={errors.on_bad_keys}>
        {key_columns.length > 0 && write_mode !== 'replace' && (
          <ChoiceField
            setting="on_bad_keys"
            label={messages.bad_keys}
            options={['fail', 'skip']}
            value={on_bad_keys}
            onChange={(chosen) => onChange({ on_bad_keys: chosen })}
          />
        )}
        <Checkbox
          label={messages.find_columns}
          description={messages.find_columns_hint}
          checked={find_columns_by_header}
          onChange={({ currentTarget: { checked } }) => onChange({ find_columns_by_header: checked })}
        />
      </FoldedSection>
    </>
  )
}
