import { Button } from '@mantine/core'
import { IconBrandGoogle } from '@tabler/icons-react'
import { authMessages } from '../../../../contract/auth/client-messages.ts'

import { savedPath } from '../../../lib/login-request.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { loginAddress } from '../api.ts'

/** Sign-in dialog; afterwards the saved path opens, or the sync tasks. */
export function LoginDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={authMessages.login_required} onClose={onClose} size="sm">
      <div>
        <p>{authMessages.login_explained}</p>
        <DialogFooter>
          <Button
            component="a"
            href={loginAddress(savedPath() ?? '/sync_tasks')}
            leftSection={<IconBrandGoogle size={17} aria-hidden />}
            fullWidth
            data-autofocus
          >
            Sign in with Google
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
