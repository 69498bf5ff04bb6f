import { Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'

import type { ConnectionValues } from './connection-form.ts'
import classes from './connection-form-page.module.css'

/** Certificate authorities to trust in addition to the public ones. */
export function CertificatesField({ form }: { form: UseFormReturnType<ConnectionValues> }) {
  return (
    <Textarea
      label="Trusted certificates"
      description={connectionMessages.certificates_hint}
      autosize
      minRows={1}
      maxRows={6}
      spellCheck={false}
      placeholder="-----BEGIN CERTIFICATE-----"
      classNames={{ input: classes.code }}
      {...form.getInputProps('ca_certificates')}
    />
  )
}
