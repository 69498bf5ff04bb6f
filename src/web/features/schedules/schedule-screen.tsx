import { useSearchParams } from 'react-router'
import { calendarMessages } from '../../../contract/calendar/client-messages.ts'
import { useAddress } from '../../lib/use-address.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type CalendarAddress, readAddress, type View, writeAddress } from './calendar/calendar-address.ts'
import { CalendarView } from './calendar/calendar-view.tsx'
import { ScheduledTable } from './components/scheduled-table.tsx'

const back = { to: '/settings', label: 'Back to Settings' }

const tabs: readonly { name: View; label: string }[] = [
  { name: 'day', label: 'Day' },
  { name: 'week', label: 'Week' },
  { name: 'table', label: 'Table' },
]

/** Everything that runs on a schedule: as a calendar by hour, and as a table. The page is public; its data needs a session. */
export function ScheduleScreen() {
  const [, setParams] = useSearchParams()
  const [params, change] = useAddress()
  const address = readAddress(params)
  const show = (changed: Partial<CalendarAddress>) =>
    change((before) => writeAddress({ ...readAddress(before), ...changed }))
  // Unlike a search or an hour, another view is a step of the browser's history.
  const choose = (view: View) => setParams(writeAddress({ ...address, view }))
  return (
    <>
      <PageHeader title={calendarMessages.title} back={back} />
      <Tabs label="View" tabs={tabs} chosen={address.view} onChoose={choose}>
        {address.view === 'table' ? (
          <ScheduledTable search={address.search} onSearch={(search) => show({ search })} />
        ) : (
          <CalendarView address={address} onChange={show} />
        )}
      </Tabs>
    </>
  )
}
