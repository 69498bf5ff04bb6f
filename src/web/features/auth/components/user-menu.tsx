import { Avatar, Button } from '@mantine/core'
import { lazy } from 'react'
import { requestLogin } from '../../../lib/login-request.ts'
import { useSession } from '../../../lib/session.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'

const UserMenuItems = lazy(async () => ({ default: (await import('./user-menu-items.tsx')).UserMenuItems }))

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word.slice(0, 1).toUpperCase())
    .slice(0, 2)
    .join('')

/** The signed-in user with sign-out; without a session a sign-in button. */
export function UserMenu() {
  const user = useSession()?.user
  if (!user)
    return (
      <Button size="xs" onClick={() => requestLogin()}>
        Sign in
      </Button>
    )
  const initials = initialsOf(user.name)
  return (
    <MenuButton
      label={`${initials}, account of ${user.name}`}
      radius="xl"
      items={<UserMenuItems user={user} />}
    >
      {/* initials, not the picture: no page of ours fetches from elsewhere */}
      <Avatar size={32}>{initials}</Avatar>
    </MenuButton>
  )
}
