import { Menu } from '@mantine/core'
import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import classes from '../components/compile-button.module.css'

/** Menu item that exports records with the authors and reasons of overrides. */
export const ExportMenuItems = ({ onExport }: { onExport: () => void }) => (
  <Menu.Item onClick={onExport}>
    {overrideMessages.export_with}
    <span className={classes.hint}>{overrideMessages.export_with_hint}</span>
  </Menu.Item>
)
