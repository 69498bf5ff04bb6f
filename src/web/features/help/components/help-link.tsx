import { ActionIcon } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useLocation } from 'react-router'
import { sectionOf } from './sections.ts'

/** Leads to what the user guide says of the page that is shown, in a tab of its own: nothing that was entered is left. */
export function HelpLink() {
  const { pathname } = useLocation()
  return (
    <ActionIcon
      component="a"
      href={`/help/user-guide#${sectionOf(pathname)}`}
      target="rowferry-help"
      size={36}
      aria-label="Help on this page"
      title="Help on this page"
    >
      <IconHelp size={18} />
    </ActionIcon>
  )
}
