import { Checkbox, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'

import { limits } from '../../../../contract/limits.ts'
import { FormSection } from '../../../ui/form-section.tsx'
import { CertificatesField } from './certificates-field.tsx'
import type { ConnectionValues } from './connection-form.ts'
import classes from './connection-form-page.module.css'
import { engineNames } from './engine-names.ts'

type Props = { form: UseFormReturnType<ConnectionValues> }

const engines = Object.entries(engineNames).map(([value, label]) => ({ value, label }))
const encryption = [
  { value: 'verify', label: 'Encrypted, certificate verified' },
  { value: 'off', label: 'Off' },
]

/** Settings of a database: its server or file, and the SQL statement. */
export function DatabaseFields({ form }: Props) {
  return (
    <>
      <FormSection title="Database">
        <Select label="Kind" allowDeselect={false} data={engines} {...form.getInputProps('engine')} />
        {form.values.engine === 'sqlite' ? (
          <TextInput
            label="File"
            withAsterisk
            placeholder="catalogue.db"
            description={connectionMessages.file_hint}
            {...form.getInputProps('file')}
          />
        ) : (
          <ServerFields form={form} />
        )}
      </FormSection>
      <FormSection title="Rows">
        <Textarea
          label="Statement"
          withAsterisk
          description={connectionMessages.statement_hint}
          autosize
          minRows={4}
          maxRows={20}
          spellCheck={false}
          placeholder="SELECT sku, name, price FROM products"
          classNames={{ input: classes.code }}
          {...form.getInputProps('statement')}
        />
        <NumberInput
          label="Longest time"
          suffix=" s"
          min={1}
          max={limits.statement_seconds_max}
          allowDecimal={false}
          {...form.getInputProps('timeout_seconds')}
        />
      </FormSection>
    </>
  )
}

function ServerFields({ form }: Props) {
  const { engine, password, tls } = form.values
  return (
    <>
      <div className={classes.server}>
        <TextInput label="Host" withAsterisk placeholder="db.example.com" {...form.getInputProps('host')} />
        <NumberInput
          label="Port"
          placeholder={engine === 'mysql' ? '3306' : '5432'}
          min={1}
          max={65_535}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('port')}
        />
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
        <TextInput label="Database" withAsterisk {...form.getInputProps('database')} />
        <Select
          label="Encryption"
          allowDeselect={false}
          data={encryption}
          description={tls === 'off' ? connectionMessages.tls_off : null}
          {...form.getInputProps('tls')}
        />
        <TextInput
          label="User"
          withAsterisk
          autoComplete="off"
          description={connectionMessages.database_user_hint}
          {...form.getInputProps('user')}
        />
        <TextInput
          label="Password"
          type="password"
          // prevents the browser from filling in the user's own password
          autoComplete="new-password"
          placeholder={password === null ? connectionMessages.unchanged : ''}
          {...form.getInputProps('password')}
          value={password ?? ''}
        />
      </SimpleGrid>
      <Checkbox
        label={connectionMessages.privileged_user}
        description={connectionMessages.privileged_user_hint}
        {...form.getInputProps('privileged_user', { type: 'checkbox' })}
      />
      {tls === 'verify' && <CertificatesField form={form} />}
    </>
  )
}
