import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type ServiceAccount, serviceAccount } from '../../../../contract/service-account/calls.ts'
import { userMessages } from '../../../../contract/users/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useSession } from '../../../lib/session.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.ts'
import { serviceAccountQuery } from '../api.ts'
import classes from './service-account-card.module.css'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../ui/confirm-dialog.tsx')).ConfirmDialog,
}))

/** Address to share spreadsheets with, and whether tasks may use the service account. */
export function ServiceAccountCard({ service, address }: { service: ServiceAccount; address: string }) {
  const client = useQueryClient()
  const is_admin = useSession()?.is_admin ?? false
  const [asking, setAsking] = useState(false)
  const allow = useMutation({
    mutationFn: (is_allowed: boolean) => call(serviceAccount.allow, { body: { address, is_allowed } }),
    onSuccess: (reply) => {
      client.setQueryData(serviceAccountQuery.queryKey, reply)
      toast.success(
        reply.is_allowed ? userMessages.service_account_allowed : userMessages.service_account_forbidden,
      )
    },
    onError: (error) => {
      toast.error(reasonOf(error, userMessages.save_service_account_failed))
      return client.invalidateQueries(serviceAccountQuery)
    },
    onSettled: () => setAsking(false),
  })
  const change = (is_allowed: boolean) =>
    !is_allowed && service.tasks_count > 0 ? setAsking(true) : allow.mutate(is_allowed)
  return (
    <div className={classes.card}>
      <p className={classes.head}>
        <span className={classes.address}>{address}</span>
        <CopyButton text={address} copied={userMessages.service_account_copied}>
          Copy address
        </CopyButton>
      </p>
      <p className={classes.hint}>{userMessages.service_account_sharing}</p>
      <Switch
        label={userMessages.service_account_label}
        showLabel
        checked={allow.isPending ? allow.variables : service.is_allowed}
        locked={!is_admin || allow.isPending}
        onChange={change}
      />
      <p className={classes.note}>
        {userMessages.service_account_in_use(service.tasks_count)}{' '}
        {!is_admin && userMessages.service_account_admins}
      </p>
      <Suspense>
        {asking && (
          <ConfirmDialog
            title="Forbid the service account"
            confirm="Forbid"
            busy={allow.isPending}
            onConfirm={() => allow.mutate(false)}
            onClose={() => setAsking(false)}
          >
            {userMessages.confirm_service_account_off(service.tasks_count)}
          </ConfirmDialog>
        )}
      </Suspense>
    </div>
  )
}
