import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from 'react-router'
import { searchMessages as messages } from '../../../../contract/search/dialog-messages.ts'
import { requestLogin } from '../../../lib/login-request.ts'
import { useSession } from '../../../lib/session.ts'
import { setSingleKeys, useSingleKeys } from '../../../lib/single-keys.ts'
import { ADDING } from '../../../ui/add-button.tsx'
import type { Action } from './items.ts'

/** The actions that the user may take; signed out, those that change nothing on the server. */
export function useActions(onShowKeys: () => void): Action[] {
  const navigate = useNavigate()
  const user = useSession()?.user
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light') === 'light' ? 'dark' : 'light'
  const single_keys = useSingleKeys()
  const add = (label: string, path: string): Action => ({
    label,
    words: 'new create',
    act: () => void navigate(path, { state: ADDING }),
  })
  const open = (label: string, words: string, path: string): Action => ({
    label,
    words,
    act: () => void navigate(path),
  })
  const signedIn = [
    add(messages.add_sync_task, '/sync_tasks'),
    add(messages.add_source_task, '/source_tasks'),
    add(messages.add_sync_type, '/sync_task_types'),
    add(messages.add_source_type, '/source-task-types'),
    open(messages.import_file, 'upload tasks types', '/import_export'),
    open(messages.export_file, 'download tasks types', '/import_export'),
  ]
  return [
    ...(user ? signedIn : []),
    {
      label: messages.switch_scheme(scheme),
      words: 'theme mode colors scheme',
      act: () => setColorScheme(scheme),
    },
    { label: messages.show_keys, words: 'help hotkeys', act: onShowKeys },
    {
      label: single_keys ? messages.single_keys_off : messages.single_keys_on,
      words: 'keyboard accessibility hotkeys',
      act: () => setSingleKeys(!single_keys),
    },
    ...(user ? [] : [{ label: messages.sign_in, words: 'login', act: () => requestLogin() }]),
  ]
}
