import { NumberInput, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import {
  DelimiterSetting,
  delimiterNames,
  EncodingSetting,
  encodingNames,
} from '../../../../contract/connections/file-formats.ts'
import { QuoteSetting } from '../../../../contract/files/csv-settings.ts'
import { isDelimited, isFilePath } from '../../../../contract/files/providers.ts'
import { limits } from '../../../../contract/limits.ts'
import { uploadMessages as messages } from '../../../../contract/uploads/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { spreadsheetQuery } from '../../../tasks/google/google-queries.ts'
import { toast } from '../../../ui/toast.ts'
import type { TaskValues } from '../editor/task-form.ts'
import { UploadArea } from './upload-area.tsx'
import { keepFile, refusalOf } from './upload-calls.ts'

type Props = { form: UseFormReturnType<TaskValues>; className: string | undefined }

/** The upload of a file, and the settings of a task that reads one: how a CSV file is read, and how often a new one is expected. */
export function FileFields({ form, className }: Props) {
  const { spreadsheet_id } = form.values
  const upload = useMutation({
    mutationFn: async ([file]: File[]) => (file ? keepFile(file) : null),
    onSuccess: (kept) => {
      if (!kept) return
      form.clearFieldError('spreadsheet_id')
      form.setFieldValue('spreadsheet_id', kept.id)
      toast.success(messages.uploaded(kept.name))
    },
    onError: (error) => toast.error(reasonOf(error, messages.upload_failed)),
  })
  const take = (files: File[]) => {
    const refusal = refusalOf(files)
    if (refusal === null) upload.mutate(files)
    else toast.error(refusal)
  }
  return (
    <>
      <div className={className}>
        <UploadArea busy={upload.isPending} onFiles={take} />
      </div>
      {isFilePath(spreadsheet_id) && isDelimited(spreadsheet_id) && <CsvFields form={form} />}
      {isFilePath(spreadsheet_id) && (
        <NumberInput
          label={messages.expected_label}
          description={messages.expected_hint}
          min={1}
          max={limits.file_expected_hours_max}
          allowDecimal={false}
          {...form.getInputProps('file_expected_hours')}
        />
      )}
    </>
  )
}

function CsvFields({ form }: Pick<Props, 'form'>) {
  const { data } = useQuery(spreadsheetQuery(form.values.spreadsheet_id))
  const found = data?.format
  const optionsOf = (values: readonly string[], names: Readonly<Record<string, string>>, detected?: string) =>
    values.map((value) => ({
      value,
      label:
        value !== 'auto'
          ? (names[value] ?? value)
          : detected === undefined
            ? messages.detect
            : messages.detected(names[detected] ?? detected),
    }))
  return (
    <>
      <Select
        label={messages.delimiter}
        allowDeselect={false}
        data={optionsOf(DelimiterSetting.options, delimiterNames, found?.delimiter)}
        {...form.getInputProps('csv_delimiter')}
      />
      <Select
        label={messages.encoding}
        allowDeselect={false}
        data={optionsOf(EncodingSetting.options, encodingNames, found?.encoding)}
        {...form.getInputProps('csv_encoding')}
      />
      <Select
        label={messages.quote}
        allowDeselect={false}
        data={optionsOf(QuoteSetting.options, messages.quotes, found?.quote)}
        {...form.getInputProps('csv_quote')}
      />
    </>
  )
}
