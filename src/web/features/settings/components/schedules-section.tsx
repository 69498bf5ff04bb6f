import { Button } from '@mantine/core'
import { IconCalendarTime, IconListDetails } from '@tabler/icons-react'
import { Link } from 'react-router'
import { scheduleMessages } from '../../../../contract/schedules/client-messages.ts'

import { useTimeZone } from '../../../lib/session.ts'
import { zoneLabel } from '../../../lib/time-zone.ts'
import { syncRunAll } from '../api.ts'
import { RunAllCard } from './run-all-card.tsx'
import classes from './schedules-section.module.css'
import { SettingsSection } from './settings-section.tsx'
import { SourceRunAllCard } from './source-run-all-card.tsx'

/** Run-all schedules, and links to the upcoming runs. */
export function SchedulesSection() {
  const zone = useTimeZone()
  const label = zoneLabel(zone)
  return (
    <SettingsSection
      id="schedules"
      title="Schedules"
      hint={`Times are in ${label}${label === zone ? '' : ` (${zone})`}, 24-hour HH:MM`}
      actions={
        <>
          <Button
            component={Link}
            to="/schedule"
            variant="default"
            leftSection={<IconListDetails size={17} aria-hidden />}
          >
            Scheduled tasks
          </Button>
          <Button
            component={Link}
            to="/source-schedule"
            variant="default"
            leftSection={<IconCalendarTime size={17} aria-hidden />}
          >
            {scheduleMessages.view_upcoming}
          </Button>
        </>
      }
    >
      <div className={classes.cards}>
        <RunAllCard
          title="Run All: sync tasks"
          hint="Every active sync task runs at these times, in addition to its own schedule."
          schedule={syncRunAll}
        />
        <SourceRunAllCard />
      </div>
    </SettingsSection>
  )
}
