import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'

import { limits } from '../../../../contract/limits.ts'
import type { ConnectionValues } from './connection-form.ts'
import { pagingStyles } from './paging-styles.ts'

type Props = { form: UseFormReturnType<ConnectionValues> }

const styles = Object.entries(pagingStyles).map(([value, label]) => ({ value, label }))
const firsts = [
  { value: '0', label: '0' },
  { value: '1', label: '1' },
]

/** Settings of paging. */
export function PagingFields({ form }: Props) {
  const { style } = form.values
  return (
    <>
      <Select
        label="Pages"
        description={connectionMessages.paging_hint}
        allowDeselect={false}
        data={styles}
        {...form.getInputProps('style')}
      />
      {style !== 'none' && style !== 'link' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
          <StyleFields form={form} />
        </SimpleGrid>
      )}
    </>
  )
}

function StyleFields({ form }: Props) {
  const { style } = form.values
  if (style === 'next_url')
    return (
      <TextInput
        label="Next page"
        withAsterisk
        description={connectionMessages.next_url_hint}
        {...form.getInputProps('url_path')}
      />
    )
  return (
    <>
      <TextInput label="Parameter" withAsterisk {...form.getInputProps('param')} />
      {style === 'cursor' ? (
        <TextInput
          label="Cursor"
          withAsterisk
          description={connectionMessages.cursor_hint}
          {...form.getInputProps('cursor_path')}
        />
      ) : (
        <>
          {style === 'page' && (
            <Select label="First page" allowDeselect={false} data={firsts} {...form.getInputProps('first')} />
          )}
          <SizeFields form={form} />
        </>
      )}
    </>
  )
}

function SizeFields({ form }: Props) {
  return (
    <>
      <TextInput
        label="Parameter of the page’s size"
        description={connectionMessages.size_hint}
        {...form.getInputProps('size_param')}
      />
      {form.values.size_param !== '' && (
        <NumberInput
          label="Rows a page"
          min={1}
          max={limits.page_rows_max}
          allowDecimal={false}
          {...form.getInputProps('size')}
        />
      )}
    </>
  )
}
