import { Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { FileEncoding } from '../../../../contract/connections/file-encoding.ts'
import { delimiterNames, encodingNames } from '../../../../contract/connections/file-formats.ts'
import { csvSourceMessages as messages } from '../../../../contract/file-targets/client-messages.ts'
import { writeSettings } from '../../../../contract/rows/write-settings.ts'
import { uploadMessages } from '../../../../contract/uploads/client-messages.ts'
import type { TaskValues } from './task-form.ts'

type Props = { form: UseFormReturnType<TaskValues> }

// The value of a choice that detects it.
const AS_FOUND = 'as_found'

const fields = [
  { name: 'source_csv_delimiter', label: messages.delimiter, options: Object.entries(delimiterNames) },
  {
    name: 'source_csv_encoding',
    label: messages.encoding,
    options: FileEncoding.options.map((encoding) => [encoding, encodingNames[encoding] ?? encoding]),
  },
  { name: 'source_csv_quote', label: messages.quote, options: Object.entries(uploadMessages.quotes) },
] as const

/** How CSV files are read. */
export function CsvSourceFields({ form: { values, errors, setValues } }: Props) {
  return fields.map(({ name, label, options }) => (
    <Select
      key={name}
      label={label}
      description={values.more_sources.length > 0 ? messages.of_all : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      allowDeselect={false}
      data={[
        { value: AS_FOUND, label: messages.as_found },
        ...options.map(([value = '', text = '']) => ({ value, label: text })),
      ]}
      value={values[name] ?? AS_FOUND}
      error={errors[name]}
      onChange={(chosen) =>
        setValues({ [name]: writeSettings[name].parse(chosen === AS_FOUND ? null : chosen) })
      }
      data-path={name}
    />
  ))
}
