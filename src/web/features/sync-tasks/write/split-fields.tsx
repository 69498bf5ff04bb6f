import { Autocomplete, SimpleGrid, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { limits } from '../../../../contract/limits.ts'
import type { RowSample } from '../../../../contract/rows/row-sample.ts'
import { writeMessages as messages } from '../../../../contract/sync-tasks/dialog-messages.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import type { TaskValues } from '../editor/task-form.ts'
import classes from './write-section.module.css'

type Split = Pick<TaskValues, 'split_by' | 'split_tab_name'>

type Props = {
  values: Split
  errors: { split_by?: ReactNode; split_tab_name?: ReactNode }
  sample: RowSample | undefined
  onChange: (values: Partial<Split>) => void
}

/** Tabs that are named one by one. */
const NAMED_TABS = 12

/** The column whose values make a tab each, the name of the tabs, and the tabs that the source would make now. */
export const SplitFields = ({ values, errors, sample, onChange }: Props) => (
  <>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
      <Autocomplete
        label={messages.split_by}
        placeholder="Not split"
        data={[...new Set(sample?.header.map((cell) => cellText(cell)).filter((name) => name !== ''))]}
        value={values.split_by ?? ''}
        error={errors.split_by}
        onChange={(name) => onChange({ split_by: name === '' ? null : name })}
        data-path="split_by"
      />
      <TextInput
        label={messages.split_name}
        description={messages.split_name_hint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={values.split_tab_name}
        error={errors.split_tab_name}
        onChange={({ currentTarget: { value } }) => onChange({ split_tab_name: value })}
        data-path="split_tab_name"
      />
    </SimpleGrid>
    {values.split_by !== null && sample?.tabs && (
      <Tabs
        tabs={sample.tabs}
        isPartial={sample.is_partial}
        column={values.split_by}
        pattern={values.split_tab_name}
      />
    )}
  </>
)

type TabsProps = {
  tabs: NonNullable<RowSample['tabs']>
  isPartial: boolean
  column: string
  pattern: string
}

function Tabs({ tabs, isPartial, column, pattern }: TabsProps) {
  const names = tabs.values.map((value) => pattern.replaceAll('{value}', () => value))
  const notes = [...problemsOf(names, tabs.count), tabs.blank > 0 && messages.no_value(tabs.blank, column)]
  const more = tabs.count - NAMED_TABS
  return (
    <div className={classes.tabs}>
      <p role="status">{messages.tabs(tabs.count, isPartial)}</p>
      <ul aria-label="Tabs">
        {names.slice(0, NAMED_TABS).map((name) => (
          <li key={name}>{name}</li>
        ))}
        {more > 0 && <li className={classes.more}>{messages.more_tabs(more)}</li>}
      </ul>
      {notes.map(
        (note) =>
          note && (
            <p key={note} className={classes.note}>
              {note}
            </p>
          ),
      )}
    </div>
  )
}

function* problemsOf(names: readonly string[], count: number): Generator<string> {
  if (count > limits.split_tabs_max) yield messages.too_many_tabs(limits.split_tabs_max)
  const known = new Map<string, string>()
  for (const name of names) {
    const key = name.normalize('NFKC').toLowerCase()
    const other = known.get(key)
    if (other !== undefined) yield messages.same_tabs(other, name)
    known.set(key, name)
    if (name.length > limits.sheet_name_characters) yield messages.long_tab(name)
  }
}
