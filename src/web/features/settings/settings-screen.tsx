import { Button } from '@mantine/core'
import { IconCalendarTime, IconListDetails } from '@tabler/icons-react'
import { Link } from 'react-router'
import { messages } from '../../../contract/messages.ts'
import { useTimeZone } from '../../lib/session.ts'
import { zoneLabel } from '../../lib/time-zone.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { syncRunAll } from './api.ts'
import { PresetsSection } from './components/presets-section.tsx'
import { RunAllCard } from './components/run-all-card.tsx'
import { SourceRunAllCard } from './components/source-run-all-card.tsx'
import classes from './settings-screen.module.css'

/** What holds for all tasks: when they run all together, and the presets of fields that copies leave out. */
export function SettingsScreen() {
  const zone = useTimeZone()
  const label = zoneLabel(zone)
  return (
    <>
      <PageHeader
        title="Settings"
        subtitle={`Times are in ${label}${label === zone ? '' : ` (${zone})`}, 24-hour HH:MM`}
      >
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
          {messages.view_upcoming}
        </Button>
      </PageHeader>
      <div className={classes.cards}>
        <RunAllCard
          title="Run All: sync tasks"
          hint="Every active sync task runs at these times, beside its own."
          schedule={syncRunAll}
        />
        <SourceRunAllCard />
      </div>
      <PresetsSection />
    </>
  )
}
