import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { notificationMessages as messages } from '../../../../contract/notifications/client-messages.ts'
import { useSession } from '../../../lib/session.ts'
import { unreadQuery } from '../api.ts'
import classes from './notifications.module.css'
import { noteSeenVersion, useIsNewVersion } from './seen-version.ts'

const NotificationsDialog = lazy(async () => ({
  default: (await import('./notifications-dialog.tsx')).NotificationsDialog,
}))

const SHOWN_MAX = 99

/** The bell in the header: the number of unread notifications; a press shows them. */
export function Bell() {
  const session = useSession()
  const signedIn = session?.authenticated === true
  const version = session?.version
  const unread = useQuery({ ...unreadQuery, enabled: signedIn }).data ?? 0
  const isNew = useIsNewVersion(version)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    if (signedIn && version) noteSeenVersion(version, { first: true })
  }, [signedIn, version])
  if (!signedIn) return null
  const label = unread === 0 && isNew ? messages.new_version : messages.bell(unread)
  return (
    <>
      <ActionIcon
        className={classes.bell}
        size={36}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <IconBell size={18} />
        {unread > 0 ? (
          <span className={classes.count} aria-hidden>
            {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
          </span>
        ) : (
          isNew && <span className={classes.dot} aria-hidden />
        )}
      </ActionIcon>
      <Suspense>{open && <NotificationsDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
