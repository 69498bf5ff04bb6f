import { Checkbox } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { NotificationKind, notifications } from '../../../../contract/notifications/calls.ts'
import { notificationMessages as messages } from '../../../../contract/notifications/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import classes from './notifications.module.css'

const mailQuery = queryOptions({
  queryKey: [notifications.mailSettings.path],
  queryFn: ({ signal }) => call(notifications.mailSettings, { signal }),
})

/** The kinds of notifications that the user gets by mail, too. */
export function MailChoice() {
  const client = useQueryClient()
  const { data } = useQuery(mailQuery)
  const save = useMutation({
    // In the order of the presses.
    scope: { id: 'notification-mail' },
    mutationFn: (kinds: NotificationKind[]) => call(notifications.setMail, { body: { kinds } }),
    onMutate: (kinds) => client.setQueryData(mailQuery.queryKey, (before) => before && { ...before, kinds }),
    onError: (error) => {
      toast.error(reasonOf(error, messages.mail_failed))
      return client.invalidateQueries(mailQuery)
    },
  })
  if (!data) return null
  const { kinds, can_mail } = data
  return (
    <details className={classes.mail}>
      <summary>{messages.by_mail}</summary>
      <p className={classes.reason}>{can_mail ? messages.by_mail_hint : messages.no_mail}</p>
      <fieldset className={classes.kinds}>
        <legend className={classes.hidden}>{messages.by_mail}</legend>
        {NotificationKind.options.map((kind) => (
          <Checkbox
            key={kind}
            label={messages.kind_names[kind]}
            checked={kinds.includes(kind)}
            onChange={({ currentTarget }) =>
              save.mutate(currentTarget.checked ? [...kinds, kind] : kinds.filter((one) => one !== kind))
            }
          />
        ))}
      </fieldset>
    </details>
  )
}
