import type { TeamUser } from '../../../../contract/users/calls.ts'
import type { Tone } from '../../../ui/badge.tsx'

const badges: Record<TeamUser['grant'], { tone: Tone; label: string }> = {
  connected: { tone: 'success', label: 'Connected' },
  revoked: { tone: 'error', label: 'Revoked' },
  disconnecting: { tone: 'warning', label: 'Disconnecting' },
  none: { tone: 'neutral', label: 'Not connected' },
}

/** Whether a person's Google access stands, by colour and word. */
export const grantBadge = (grant: TeamUser['grant']) => badges[grant]
