import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { frameMessages } from '../../../contract/system/client-messages.ts'

import { EmptyState } from '../../ui/states.tsx'

/** Shown for unknown URLs. */
export function NotFoundScreen() {
  return (
    <EmptyState level={1} title={frameMessages.not_found_title} hint={frameMessages.not_found_text}>
      <title>404 · Rowferry</title>
      <Button component={Link} to="/">
        Go Back
      </Button>
    </EmptyState>
  )
}
