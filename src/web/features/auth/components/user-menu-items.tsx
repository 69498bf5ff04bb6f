import { Menu } from '@mantine/core'
import { IconKey, IconLogout } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import type { User } from '../../../../contract/auth/calls.ts'
import { logout } from '../api.ts'

/** Name and address of the signed-in user, and sign-out. */
export function UserMenuItems({ user }: { user: User }) {
  const navigate = useNavigate()
  const signOut = useMutation(logout(async () => navigate('/')))
  return (
    <>
      <Menu.Label>
        <div>{user.name}</div>
        <div>{user.email}</div>
      </Menu.Label>
      <Menu.Item component={Link} to="/tokens" leftSection={<IconKey size={16} aria-hidden />}>
        API tokens
      </Menu.Item>
      <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
        Sign out
      </Menu.Item>
    </>
  )
}
