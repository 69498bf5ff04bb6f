import { PageHeader } from '../../ui/page-header.tsx'
import { AlarmsSection } from './alarms/alarms-section.tsx'
import { PresetsSection } from './components/presets-section.tsx'
import { SchedulesSection } from './components/schedules-section.tsx'
import { ServiceAccountSection } from './components/service-account-section.tsx'
import { ConnectionsSection } from './connections/connections-section.tsx'

/** What holds for all tasks, subject by subject. */
export function SettingsScreen() {
  return (
    <>
      <PageHeader title="Settings" />
      <SchedulesSection />
      <PresetsSection />
      <ServiceAccountSection />
      <ConnectionsSection />
      <AlarmsSection />
    </>
  )
}
