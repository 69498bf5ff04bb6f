import { Button, TagsInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { isSkuName } from '../../../../contract/compiler/configs.ts'
import { limits } from '../../../../contract/limits.ts'
import type { RowSample } from '../../../../contract/rows/row-sample.ts'
import { writeMessages as messages } from '../../../../contract/sync-tasks/dialog-messages.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import type { TaskValues } from '../editor/task-form.ts'
import classes from './write-section.module.css'

type Props = {
  values: Pick<TaskValues, 'write_mode' | 'key_columns' | 'on_bad_keys'>
  sample: RowSample | undefined
  error: ReactNode
  onChange: (key_columns: string[]) => void
}

/** Chooses the key columns among those of the target, beside their first values, and says which rows have no key of their own. */
export function KeysField({ values, sample, error, onChange }: Props) {
  const { write_mode, key_columns } = values
  const [isOpen, setIsOpen] = useState(false)
  const names = sample?.header.map((cell) => cellText(cell)).filter((name) => name !== '') ?? []
  const examples = examplesOf(sample)
  const suggested = key_columns.length === 0 ? names.find(isSkuName) : undefined
  return (
    <div>
      <TagsInput
        label={messages.keys}
        withAsterisk={write_mode === 'update'}
        description={write_mode === 'append' ? messages.keys_optional : messages.keys_hint}
        placeholder={key_columns.length === 0 ? messages.choose_key : undefined}
        data={[...new Set(names)]}
        renderOption={({ option }) => (
          <div className={classes.option}>
            {option.value}
            <small>{examples.get(option.value)}</small>
          </div>
        )}
        // Headers contain commas.
        splitChars={[]}
        maxTags={limits.key_columns_max}
        maxLength={limits.condition_characters}
        acceptValueOnBlur
        // By itself the list opens with the focus only, which the field may have already.
        dropdownOpened={isOpen}
        onDropdownOpen={() => setIsOpen(true)}
        onDropdownClose={() => setIsOpen(false)}
        onClick={() => setIsOpen(true)}
        onSearchChange={(text) => {
          if (text !== '') setIsOpen(true)
        }}
        value={key_columns}
        error={error}
        onChange={onChange}
        data-path="key_columns"
      />
      {suggested !== undefined && (
        <Button variant="subtle" size="compact-sm" mt={4} onClick={() => onChange([suggested])}>
          {messages.suggest_key(suggested)}
        </Button>
      )}
      {sample && key_columns.length > 0 && <KeysFound sample={sample} values={values} />}
    </div>
  )
}

/** First values by the column's name in the target. */
function examplesOf(sample: RowSample | undefined): Map<string, string> {
  const texts = sample?.header.map((name, column): [string, string] => [
    cellText(name),
    sample.first
      .map((row) => cellText(row[column]))
      .filter((text) => text !== '')
      .slice(0, 3)
      .join(', '),
  ])
  return new Map(texts)
}

function KeysFound({ sample, values }: { sample: RowSample; values: Props['values'] }) {
  const { row_keys: keys, passed, is_partial } = sample
  if (keys === null)
    return sample.problem === null ? (
      <p role="status" className={classes.note}>
        {messages.keys_unknown}
      </p>
    ) : null
  const problems = [
    keys.blank > 0 && messages.blank_keys(keys.blank, values.key_columns),
    keys.example !== null && messages.repeated_keys(keys.repeated, keys.example),
  ].filter((problem) => problem !== false)
  if (problems.length === 0)
    return (
      <p role="status" className={classes.hint}>
        {messages.unique_keys(passed, is_partial)}
      </p>
    )
  return (
    <p role="status" className={classes.note}>
      {problems.join('; ')}. {values.on_bad_keys === 'fail' ? messages.bad_keys_fail : messages.bad_keys_skip}
    </p>
  )
}
