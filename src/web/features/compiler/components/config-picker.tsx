import { NativeSelect } from '@mantine/core'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'

import classes from './config-picker.module.css'

type Props = {
  label: string
  /** Whether the label is visible. */
  shown?: boolean
  configs: readonly CompilerConfig[]
  chosen: CompilerConfig | null
  onChoose: (id: number) => void
}

/** Selects the configuration that the page shows. */
export const ConfigPicker = ({ label, shown = false, configs, chosen, onChoose }: Props) => (
  <NativeSelect
    {...(shown ? { label, className: classes.picker } : { 'aria-label': label })}
    classNames={{ input: classes.choice }}
    value={String(chosen?.id ?? '')}
    data={configs.map(({ id, name, is_active }) => ({
      value: String(id),
      label: is_active ? name : taskMessages.config_resting(name),
    }))}
    onChange={(event) => onChoose(Number(event.currentTarget.value))}
  />
)
