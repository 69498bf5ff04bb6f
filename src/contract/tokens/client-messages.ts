import { tokenLimits } from './limits.ts'

/** Texts of tokens, for server and screen. */
export const tokenMessages = {
  invalid: 'This token is not valid. It has expired, was revoked, or is incomplete.',
  person_wanted: 'No token may do that: sign in with a browser.',
  right_missing: (needed: 'read' | 'run' | 'edit') =>
    `This token may not do that: it needs the right to ${needed}.`,
  name_taken: 'You have a token of this name.',
  too_many: `You have ${tokenLimits.per_person} tokens. Revoke unused ones.`,
  gone: 'Token not found.',

  // screen
  title: 'API Tokens',
  hint: 'With a token, a program makes calls as you: from the command line, a script or another tool.',
  none_yet: 'No tokens yet',
  none_yet_hint: 'Create one for each program, so you can revoke one without the others.',
  make: 'New token',
  fetch_failed: 'Failed to fetch your tokens',
  make_failed: 'Failed to create the token',
  revoke_failed: 'Failed to revoke the token',
  revoked: (name: string) => `${name} is revoked`,
  confirm_revoke: (name: string) =>
    `Revoke the token “${name}”? Programs that use it are refused from now on. This cannot be undone.`,
  rights: {
    read: { name: 'Read', hint: 'See tasks, runs, logs and data' },
    run: { name: 'Run', hint: 'Also start and stop runs' },
    edit: { name: 'Edit', hint: 'Also add, change and delete' },
  },
  never_used: 'Never',
  expired: 'Expired',
  made: 'Copy the token now',
  made_hint: 'It is not stored and cannot be shown again. Anyone who has it can act as you.',
  try_it: 'Try it',
  copied: 'Token copied',
} as const
