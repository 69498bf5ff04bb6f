import { Button } from '@mantine/core'
import { lazy } from 'react'
import { initialsOf } from '../../../lib/initials.ts'
import { requestLogin } from '../../../lib/login-request.ts'
import { useSession } from '../../../lib/session.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import classes from './user-menu.module.css'

const UserMenuItems = lazy(async () => ({ default: (await import('./user-menu-items.tsx')).UserMenuItems }))

/** Menu of the signed-in user; without a session, a sign-in button. */
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
      {/* initials, since pages load nothing from other hosts */}
      <span className={classes.initials}>{initials}</span>
    </MenuButton>
  )
}
