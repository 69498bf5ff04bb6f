import { lazy, Suspense } from 'react'
import { PageHeader } from '../../ui/page-header.tsx'
import { AlarmsSection } from './alarms/alarms-section.tsx'
import { LimitsSection } from './components/limits-section.tsx'
import { PresetsSection } from './components/presets-section.tsx'
import { SchedulesSection } from './components/schedules-section.tsx'
import { ServiceAccountSection } from './components/service-account-section.tsx'
import { SettingsIndex } from './components/settings-index.tsx'
import { ConnectionsSection } from './connections/connections-section.tsx'
import classes from './settings-screen.module.css'

const FoldersSection = lazy(async () => ({
  default: (await import('./folders/folders-section.tsx')).FoldersSection,
}))

/** Settings that apply to all tasks, with an index of their sections. */
export function SettingsScreen() {
  return (
    <>
      <PageHeader title="Settings" />
      <div className={classes.page}>
        <SettingsIndex />
        <div>
          <SchedulesSection />
          <PresetsSection />
          <LimitsSection />
          <ServiceAccountSection />
          <ConnectionsSection />
          <Suspense>
            <FoldersSection />
          </Suspense>
          <AlarmsSection />
        </div>
      </div>
    </>
  )
}
