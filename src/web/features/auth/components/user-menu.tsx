import { Avatar, Button } from '@mantine/core'
import { lazy } from 'react'
import { requestLogin } from '../../../lib/login-request.ts'
import { useSession } from '../../../lib/session.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'

const UserMenuItems = lazy(async () => ({ default: (await import('./user-menu-items.tsx')).UserMenuItems }))

/** Who is signed in, with the way out; a sign-in button for nobody. */
export function UserMenu() {
  const user = useSession()?.user
  if (!user)
    return (
      <Button size="xs" onClick={() => requestLogin()}>
        Sign in
      </Button>
    )
  return (
    <MenuButton label={`Account of ${user.name}`} radius="xl" items={<UserMenuItems user={user} />}>
      {/* initials, not the picture: no page of ours fetches from elsewhere */}
      <Avatar name={user.name} size={32} alt="" />
    </MenuButton>
  )
}
