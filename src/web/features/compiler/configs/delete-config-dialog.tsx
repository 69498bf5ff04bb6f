import { useQueryClient } from '@tanstack/react-query'
import { compiler } from '../../../../contract/compiler/calls.ts'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import { call } from '../../../lib/call.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { configsQuery } from '../api.ts'

type Props = { config: CompilerConfig; onClose: () => void }

/** Confirms the deletion of a configuration. */
export function DeleteConfigDialog({ config, onClose }: Props) {
  const client = useQueryClient()
  return (
    <DeleteDialog
      question={compilerMessages.confirm_delete(config.name)}
      remove={() => call(compiler.deleteConfig, { params: { id: config.id } })}
      deleted={compilerMessages.deleted}
      failed={compilerMessages.delete_failed}
      onDeleted={() => client.invalidateQueries(configsQuery)}
      onClose={onClose}
    />
  )
}
