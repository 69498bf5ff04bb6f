import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Token, tokens } from '../../../../contract/tokens/calls.ts'
import { tokenMessages as messages } from '../../../../contract/tokens/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { tokensQuery } from '../api.ts'

/** Confirmation before a token is revoked. */
export function RevokeDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => call(tokens.revoke, { params: { id: token.id } }),
    onSuccess: () => {
      toast.success(messages.revoked(token.name))
      return client.invalidateQueries(tokensQuery)
    },
    onError: (error) => toast.error(reasonOf(error, messages.revoke_failed)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title="Revoke token"
      confirm="Revoke"
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      {messages.confirm_revoke(token.name)}
    </ConfirmDialog>
  )
}
