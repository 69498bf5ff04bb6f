import { lazy, type RefObject, Suspense, useState } from 'react'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { useToggleFavourite } from '../../../tasks/favourites/favourites.ts'
import { toast } from '../../../ui/toast.ts'
import { useRowFocus } from '../../../ui/use-row-focus.ts'
import { useShortcut } from '../../../ui/use-shortcut.ts'
import { useCompile } from '../components/use-compile.ts'

const RunConfirmDialog = lazy(async () => ({
  default: (await import('../../../tasks/actions/run-confirm-dialog.tsx')).RunConfirmDialog,
}))

type Props = {
  list: RefObject<HTMLElement | null>
  /** In the order of the rows. */
  configs: readonly CompilerConfig[]
  onEdit: (config: CompilerConfig) => void
}

/** Shortcuts on the rows of the configurations, as on the lists of tasks. */
export function ConfigKeys({ list, configs, onEdit }: Props) {
  const [asked, setAsked] = useState<CompilerConfig | null>(null)
  const toggleFavourite = useToggleFavourite()
  const focused = useRowFocus(list, 'tbody tr')
  const onConfig = (act: (config: CompilerConfig) => void) => {
    const config = configs[focused()?.position ?? -1]
    if (config) act(config)
  }
  useShortcut('run_row', () =>
    onConfig((config) => (config.is_active ? setAsked(config) : toast.info(taskMessages.locked_inactive))),
  )
  useShortcut('edit_row', () => onConfig(onEdit))
  useShortcut('favourite_row', () => onConfig(({ task_id }) => toggleFavourite(task_id)))
  return <Suspense>{asked && <CompileQuestion config={asked} onClose={() => setAsked(null)} />}</Suspense>
}

function CompileQuestion({ config, onClose }: { config: CompilerConfig; onClose: () => void }) {
  const compile = useCompile(config)
  return <RunConfirmDialog name={config.name} onConfirm={() => compile.mutate(true)} onClose={onClose} />
}
