import { Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import {
  csvTargetLabels as labels,
  csvTargetMessages as messages,
} from '../../../../contract/file-targets/client-messages.ts'
import { writeSettings } from '../../../../contract/rows/write-settings.ts'
import type { TaskValues } from './task-form.ts'

type Props = { form: UseFormReturnType<TaskValues> }

// The value of a choice that keeps what the file has.
const AS_IT_IS = 'as_it_is'

const stored = (chosen: string | null) => (chosen === AS_IT_IS ? null : chosen)

const optionsOf = (labels: Readonly<Record<string, string>>) => [
  { value: AS_IT_IS, label: messages.as_it_is },
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
]

/** How a CSV file is written. */
export function CsvTargetFields({ form: { values, errors, setValues } }: Props) {
  return (
    <>
      <Select
        label={messages.delimiter}
        description={messages.delimiter_hint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        data={optionsOf(labels.target_csv_delimiter)}
        value={values.target_csv_delimiter ?? AS_IT_IS}
        error={errors.target_csv_delimiter}
        onChange={(chosen) =>
          setValues({ target_csv_delimiter: writeSettings.target_csv_delimiter.parse(stored(chosen)) })
        }
        data-path="target_csv_delimiter"
      />
      <Select
        label={messages.encoding}
        description={messages.encoding_hint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        data={optionsOf(labels.target_csv_encoding)}
        value={values.target_csv_encoding ?? AS_IT_IS}
        error={errors.target_csv_encoding}
        onChange={(chosen) =>
          setValues({ target_csv_encoding: writeSettings.target_csv_encoding.parse(stored(chosen)) })
        }
        data-path="target_csv_encoding"
      />
    </>
  )
}
