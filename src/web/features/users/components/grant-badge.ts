import type { TeamUser } from '../../../../contract/users/calls.ts'
import type { Tone } from '../../../ui/badge.tsx'

const badges: Record<TeamUser['grant'], { tone: Tone; label: string }> = {
  connected: { tone: 'success', label: 'Connected' },
  revoked: { tone: 'error', label: 'Revoked' },
  disconnecting: { tone: 'warning', label: 'Disconnecting' },
  none: { tone: 'neutral', label: 'Not connected' },
}

/** Label and colour of the state of a user's Google access. */
export const grantBadge = (grant: TeamUser['grant']) => badges[grant]
