import { ActionIcon } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useLocation } from 'react-router'
import { sectionOf } from './sections.ts'

/** Link to the user guide's section about the current page, in a new tab so that no input is lost. */
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
