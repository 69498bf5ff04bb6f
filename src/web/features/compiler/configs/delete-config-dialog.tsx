import { useQueryClient } from '@tanstack/react-query'
import { compiler } from '../../../../contract/compiler.ts'
import type { CompilerConfig } from '../../../../contract/compiler-configs.ts'
import { compilerPageMessages as texts } from '../../../../contract/compiler-page-messages.ts'
import { call } from '../../../lib/call.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { configsQuery } from '../api.ts'

type Props = { config: CompilerConfig; onClose: () => void }

/** Asks before a configuration goes. */
export function DeleteConfigDialog({ config, onClose }: Props) {
  const client = useQueryClient()
  return (
    <DeleteDialog
      question={texts.confirm_delete(config.name)}
      remove={() => call(compiler.deleteConfig, { params: { id: config.id } })}
      deleted={texts.deleted}
      failed={texts.delete_failed}
      onDeleted={() => client.invalidateQueries(configsQuery)}
      onClose={onClose}
    />
  )
}
