import { NumberInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { FoldedSection } from '../../../ui/folded-section.tsx'
import type { ConfigValues } from './config-form.ts'
import { useSourceChoices } from './source-choices.ts'

const DAY_MS = 86_400_000

/** After how many days without a change a compile warns of a source, and which sources that are now. */
export function StaleSection({ form }: { form: UseFormReturnType<ConfigValues> }) {
  const { stale_days, source_task_ids } = form.values
  const choices = useSourceChoices()
  const sources = choices.filter(({ id }) => source_task_ids.includes(id))
  const stale = sources.filter(
    ({ changed_at }) =>
      stale_days !== null &&
      changed_at !== null &&
      Date.now() - Date.parse(changed_at) >= stale_days * DAY_MS,
  )
  return (
    <FoldedSection
      title={compilerMessages.stale}
      hint={compilerMessages.stale_hint}
      state={stale_days === null ? compilerMessages.stale_never : compilerMessages.stale_after(stale_days)}
      error={form.errors.stale_days}
    >
      <NumberInput
        label={compilerMessages.stale_days}
        min={1}
        max={limits.stale_days_max}
        allowDecimal={false}
        value={stale_days ?? ''}
        onChange={(days) => form.setFieldValue('stale_days', typeof days === 'number' ? days : null)}
      />
      {stale_days !== null && (
        <p role="status">
          {compilerMessages.stale_now(
            stale.map(({ name }) => name),
            sources.length,
          )}
        </p>
      )}
    </FoldedSection>
  )
}
