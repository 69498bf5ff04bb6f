import { Checkbox, SegmentedControl, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'

import { delimiterNames, encodingNames } from '../../../../contract/connections/file-formats.ts'
import { FormSection, LabelledField } from '../../../ui/form-section.tsx'
import { CertificatesField } from './certificates-field.tsx'
import { type ConnectionValues, isEncrypted } from './connection-form.ts'
import classes from './connection-form-page.module.css'
import { NamedValues } from './named-values.tsx'
import { PagingFields } from './paging-fields.tsx'

const methods = ['GET', 'POST']
const formats = [
  { value: 'json', label: 'JSON' },
  { value: 'ndjson', label: 'JSON lines' },
  { value: 'csv', label: 'CSV' },
]

const automatic = { value: 'auto', label: 'Automatic' }
const choices = (names: Readonly<Record<string, string>>) => [
  automatic,
  ...Object.entries(names).map(([value, label]) => ({ value, label })),
]
const delimiters = choices(delimiterNames)
const encodings = choices(encodingNames)

/** Settings of an HTTP API: the request, then the location of the rows in the reply. */
export function ApiFields({ form }: { form: UseFormReturnType<ConnectionValues> }) {
  const { method, format } = form.values
  return (
    <>
      <FormSection title="Request">
        <div className={classes.address}>
          <Select label="Method" allowDeselect={false} data={methods} {...form.getInputProps('method')} />
          <TextInput
            label="Address"
            withAsterisk
            inputMode="url"
            placeholder="https://api.example.com/products"
            description={connectionMessages.url_hint}
            {...form.getInputProps('url')}
          />
        </div>
        <NamedValues
          form={form}
          list="headers"
          title="Headers"
          one="header"
          hint={connectionMessages.headers_hint}
        />
        <NamedValues
          form={form}
          list="params"
          title="Parameters"
          one="parameter"
          hint={connectionMessages.params_hint}
        />
        {method === 'POST' && (
          <Textarea
            label="Body"
            description={connectionMessages.body_hint}
            autosize
            minRows={3}
            maxRows={12}
            classNames={{ input: classes.code }}
            {...form.getInputProps('body')}
          />
        )}
        {isEncrypted(form.values) && <CertificatesField form={form} />}
      </FormSection>
      <FormSection title="Reply">
        <LabelledField label="Format">
          {(id) => <SegmentedControl aria-labelledby={id} data={formats} {...form.getInputProps('format')} />}
        </LabelledField>
        {format !== 'csv' && (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
            <TextInput
              label="List"
              description={connectionMessages.list_hint}
              {...form.getInputProps('list_path')}
            />
            <TextInput
              label="Number of all rows"
              description={connectionMessages.total_hint}
              {...form.getInputProps('total_path')}
            />
          </SimpleGrid>
        )}
        {format === 'csv' && (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
            <Select
              label="Delimiter"
              description={connectionMessages.delimiter_hint}
              allowDeselect={false}
              data={delimiters}
              {...form.getInputProps('delimiter')}
            />
            <Select
              label="Encoding"
              description={connectionMessages.encoding_hint}
              allowDeselect={false}
              data={encodings}
              {...form.getInputProps('encoding')}
            />
          </SimpleGrid>
        )}
        <PagingFields form={form} />
        {format !== 'csv' && (
          <Checkbox
            label={connectionMessages.missing_list}
            description={connectionMessages.missing_list_hint}
            {...form.getInputProps('missing_list_is_end', { type: 'checkbox' })}
          />
        )}
      </FormSection>
    </>
  )
}
