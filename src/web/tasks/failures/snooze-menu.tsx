import { Menu } from '@mantine/core'
import { IconClockPause } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { failureActionMessages as messages } from '../../../contract/failures/dialog-messages.ts'
import { useTimeZone } from '../../lib/session.ts'
import { useServerMinute } from '../../lib/use-server-second.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { snoozeTimes } from './snooze-times.ts'

const SnoozeDialog = lazy(async () => ({ default: (await import('./snooze-dialog.tsx')).SnoozeDialog }))

type Props = { name: string; onSnooze: (until: string) => void }

/** Button that snoozes `name` until a time from its menu or from a dialog. */
export function SnoozeMenu({ name, onSnooze }: Props) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <MenuButton
        label={messages.of(messages.snooze, name)}
        items={<SnoozeItems onSnooze={onSnooze} onOther={() => setAsking(true)} />}
      >
        <IconClockPause size={18} title={messages.snooze} />
      </MenuButton>
      <Suspense>
        {asking && <SnoozeDialog name={name} onSnooze={onSnooze} onClose={() => setAsking(false)} />}
      </Suspense>
    </>
  )
}

type ItemsProps = { onSnooze: (until: string) => void; onOther: () => void }

/** Menu items with the usual times. */
function SnoozeItems({ onSnooze, onOther }: ItemsProps) {
  const zone = useTimeZone()
  const { hour, tomorrow, monday } = snoozeTimes(useServerMinute(), zone)
  return (
    <>
      <Menu.Label>{messages.snooze_until}</Menu.Label>
      <Menu.Item onClick={() => onSnooze(hour)}>{messages.in_an_hour}</Menu.Item>
      <Menu.Item onClick={() => onSnooze(tomorrow)}>{messages.tomorrow}</Menu.Item>
      {monday !== tomorrow && <Menu.Item onClick={() => onSnooze(monday)}>{messages.monday}</Menu.Item>}
      <Menu.Item onClick={onOther}>{messages.other_time}</Menu.Item>
    </>
  )
}
