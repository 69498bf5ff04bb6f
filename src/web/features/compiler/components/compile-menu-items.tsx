import { Menu } from '@mantine/core'
import { compilerPageMessages as texts } from '../../../../contract/compiler-page-messages.ts'
import classes from './compile-button.module.css'

/** Another way to compile: what is there stays. */
export const CompileMenuItems = ({ onCompileNew }: { onCompileNew: () => void }) => (
  <Menu.Item onClick={onCompileNew}>
    {texts.compile_new}
    <span className={classes.hint}>{texts.compile_new_hint}</span>
  </Menu.Item>
)
