import { Button, Loader } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import { compilerPreview } from '../../../../contract/compiler/preview.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { type ConfigValues, previewBody } from './config-form.ts'
import classes from './preview.module.css'
import { PreviewTable } from './preview-table.tsx'

type Props = {
  form: UseFormReturnType<ConfigValues>
  /** The edited configuration; null for a new one. */
  config_id: number | null
}

/** Preview of the first records that the form would compile, without saving it. */
export function Preview({ form, config_id }: Props) {
  const id = useId()
  const body = previewBody(form.values, config_id)
  const made = useMutation({
    mutationFn: (wanted: NonNullable<typeof body>) => call(compilerPreview.preview, { body: wanted }),
  })
  const section = useRef<HTMLElement>(null)
  // the preview is below a long form
  useEffect(() => {
    if (made.data) section.current?.scrollIntoView({ block: 'nearest' })
  }, [made.data])
  const isOld = JSON.stringify(made.variables) !== JSON.stringify(body)
  return (
    <section ref={section} className={classes.preview} aria-labelledby={id} aria-busy={made.isPending}>
      <header>
        <h3 id={id}>Preview</h3>
        <Button
          variant="default"
          size="xs"
          disabled={body === null || made.isPending}
          onClick={() => body && made.mutate(body)}
        >
          {made.data ? 'Preview again' : 'Show preview'}
        </Button>
      </header>
      <div role="status">
        {made.isPending && (
          <p className={classes.hint}>
            <Loader size="xs" /> {compilerMessages.previewing}
          </p>
        )}
        {!made.isPending && made.error && (
          <p className={classes.refusal}>{reasonOf(made.error, compilerMessages.preview_failed)}</p>
        )}
        {made.isIdle && <p className={classes.hint}>{compilerMessages.preview_hint}</p>}
        {made.data && isOld && <p className={classes.hint}>{compilerMessages.preview_old}</p>}
        {made.data?.warnings.map((warning) => (
          <p key={warning} className={classes.warning}>
            {warning}
          </p>
        ))}
      </div>
      {made.data && <PreviewTable preview={made.data} />}
    </section>
  )
}
