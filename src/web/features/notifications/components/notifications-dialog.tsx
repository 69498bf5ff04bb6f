import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Notification } from '../../../../contract/notifications/calls.ts'
import { notificationMessages as messages } from '../../../../contract/notifications/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useSession, useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment, formatMoment } from '../../../lib/time-zone.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { notificationsQuery, useMarkRead } from '../api.ts'
import { groupNotifications, type NotificationGroup, pageOf } from './grouped.ts'
import { MailChoice } from './mail-choice.tsx'
import classes from './notifications.module.css'
import { noteSeenVersion, useIsNewVersion } from './seen-version.ts'

// Tasks of a group that are listed.
const SHOWN = 50

/** What concerns the user, grouped by cause; each leads to the page that says why. */
export function NotificationsDialog({ onClose }: { onClose: () => void }) {
  const query = useQuery(notificationsQuery)
  const markRead = useMarkRead()
  const version = useSession()?.version
  const isNew = useIsNewVersion(version)
  const all = query.data ?? []
  const unread = all.filter(({ is_read }) => !is_read)
  const follow = (notification: Notification) => {
    if (!notification.is_read) markRead.mutate({ keys: [notification.key], and_older: false })
    onClose()
  }
  return (
    <Dialog title={messages.title} size="lg" tall onClose={onClose}>
      <div>
        {query.isPending && <LoadingRows rows={3} label={messages.loading} />}
        {query.isError && (
          <LoadError
            message={reasonOf(query.error, messages.load_failed)}
            onRetry={() => void query.refetch()}
          />
        )}
        {query.data && all.length === 0 && (
          <EmptyState level={3} title={messages.empty} hint={messages.empty_hint} />
        )}
        <ul className={classes.groups}>
          {groupNotifications(all).map((group) => (
            <Group
              key={group.key}
              group={group}
              onFollow={follow}
              onRead={() => markRead.mutate({ keys: [...group.unread], and_older: false })}
            />
          ))}
        </ul>
        <MailChoice />
      </div>
      <DialogFooter>
        <Button
          variant="subtle"
          component={Link}
          to="/help/changes"
          leftSection={<IconSparkles size={17} aria-hidden />}
          onClick={() => {
            if (version) noteSeenVersion(version)
            onClose()
          }}
        >
          {messages.what_is_new}
          {isNew && <span className={classes.mark} role="img" aria-label={messages.unread} />}
        </Button>
        {unread.length > 0 && (
          <Button
            variant="default"
            loading={markRead.isPending}
            onClick={() => markRead.mutate({ keys: all.map(({ key }) => key), and_older: true })}
          >
            {messages.read_all}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}

type GroupProps = { group: NotificationGroup; onFollow: (one: Notification) => void; onRead: () => void }

function Group({ group, onFollow, onRead }: GroupProps) {
  const zone = useTimeZone()
  const { kind, items, reason, at, over_at, unread } = group
  const [first] = items
  const heading = messages.kinds[kind](items.length)
  const isUnread = unread.length > 0
  return (
    <li className={classes.group} data-unread={isUnread || undefined} data-kind={over_at ? 'over' : kind}>
      <div className={classes.text}>
        <p className={classes.head}>
          {isUnread && <span className={classes.mark} role="img" aria-label={messages.unread} />}
          <b>{heading}</b>{' '}
          <time dateTime={at} title={formatLongMoment(at, zone)}>
            {formatMoment(at, zone)}
          </time>
          {over_at && (
            <span className={classes.over}>{messages.well_since(formatMoment(over_at, zone))}</span>
          )}
        </p>
        {items.length === 1 ? (
          <TaskLink notification={first} onFollow={onFollow} />
        ) : (
          <details>
            <summary>
              {items
                .slice(0, 3)
                .map(({ title }) => title)
                .join(', ')}
              {items.length > 3 && ` ${messages.and_more(items.length - 3)}`}
            </summary>
            <ul className={classes.tasks}>
              {items.slice(0, SHOWN).map((one) => (
                <li key={one.key}>
                  <TaskLink notification={one} onFollow={onFollow} />
                </li>
              ))}
              {items.length > SHOWN && <li>{messages.and_more(items.length - SHOWN)}</li>}
            </ul>
          </details>
        )}
        {reason && <p className={classes.reason}>{reason}</p>}
      </div>
      {isUnread && (
        <ActionIcon
          size={32}
          aria-label={messages.read_one(items.length === 1 ? first.title : heading)}
          title={messages.read_one(items.length === 1 ? first.title : heading)}
          onClick={onRead}
        >
          <IconCheck size={17} />
        </ActionIcon>
      )}
    </li>
  )
}

const TaskLink = ({
  notification,
  onFollow,
}: {
  notification: Notification
  onFollow: GroupProps['onFollow']
}) => (
  <Link className={classes.task} to={pageOf(notification)} onClick={() => onFollow(notification)}>
    {notification.title}
  </Link>
)
