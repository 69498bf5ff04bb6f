import { Menu } from '@mantine/core'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import classes from './compile-button.module.css'

/** Menu item that compiles new records only and keeps the existing ones. */
export const CompileMenuItems = ({ onCompileNew }: { onCompileNew: () => void }) => (
  <Menu.Item onClick={onCompileNew}>
    {compilerMessages.compile_new}
    <span className={classes.hint}>{compilerMessages.compile_new_hint}</span>
  </Menu.Item>
)
