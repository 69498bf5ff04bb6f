import { useMutation, useQueryClient } from '@tanstack/react-query'
import { compiler } from '../../../../contract/compiler/calls.ts'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import { compilerRuns } from '../../../../contract/compiler/runs.ts'
import { CallError, call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged } from '../api.ts'

/** Starts a compile and shows its result in a toast. A long compile continues after the reply; the page shows its progress. */
export function useCompile(config: CompilerConfig) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (overwrite: boolean) => call(compiler.compile, { body: { config_id: config.id, overwrite } }),
    onSuccess: (reply) => {
      if (!('unique_skus' in reply)) return toast.info(compilerMessages.compile_goes_on)
      if (reply.waits) toast.warning(compilerMessages.compiled_waits(reply.unique_skus))
      else toast.success(compilerMessages.compiled(reply.total_rows_processed, reply.unique_skus))
      return recordsChanged(client, config.id)
    },
    onError: (error) => {
      if (error instanceof CallError && error.code === 'compile_stopped') return toast.info(error.message)
      console.info('The compile failed', error)
      toast.error(compilerMessages.compile_failed)
    },
  })
}

export const useStopCompile = ({ id }: CompilerConfig) =>
  useMutation({
    mutationFn: () => call(compilerRuns.stop, { params: { id } }),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, compilerMessages.stop_failed)),
  })
