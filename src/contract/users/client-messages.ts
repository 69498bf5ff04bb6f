import { formatted } from '../counted.ts'

/** Texts of the user screen. */
export const userMessages = {
  // users
  no_users: 'No user has signed in yet',
  search: 'Search users',
  search_hint: 'Search by name or address',
  any_access: 'Any access',
  any_status: 'All users',
  active: 'Can sign in',
  disabled: 'Disabled',
  nothing_matches: 'No user matches these filters',
  grant_missing:
    'Rowferry has lost access to your spreadsheets, so your tasks cannot run. Sign in again to reconnect.',
  share_grant_label: 'Let colleagues’ tasks use my account',
  share_grant_hint:
    'A task may then read and write with your Google access when it names your address. Runs check it each time they begin.',
  disconnect_google: 'Disconnect Google',
  disconnect_hint:
    'Revokes Rowferry’s access to your spreadsheets. Your tasks cannot run until you connect again.',
  confirm_disconnect: (name: string, tasks: number) =>
    `Disconnect the Google account of ${name}? Runs that need it stop; no spreadsheet is left partly written.${tasks === 0 ? '' : ` ${formatted(tasks)} sync ${tasks === 1 ? 'task cannot' : 'tasks cannot'} run until ${name} connects again.`}`,
  google_disconnected: (name: string) => `The Google account of ${name} is disconnected`,
  google_disconnecting: (name: string) =>
    `The Google account of ${name} is no longer used. It is disconnected as soon as stopped runs have cleaned up and Google confirms.`,
  grant_disconnecting:
    'Your Google account is being disconnected. It is no longer used; Google has not confirmed yet.',
  disconnect_failed: 'Failed to disconnect Google',
  service_account: 'Service account',
  service_account_hint: 'Tasks that name this account may use it in addition to user accounts.',
  service_account_sharing:
    'In Google Sheets, share a spreadsheet with this address: as Viewer for a source, as Editor for a target. Every user can then have it copied.',
  service_account_label: 'Tasks may use the service account',
  service_account_admins: 'Only administrators can change this.',
  service_account_in_use: (tasks: number) =>
    tasks === 0
      ? 'No sync task names it.'
      : `${formatted(tasks)} sync ${tasks === 1 ? 'task names' : 'tasks name'} it.`,
  service_account_copied: 'The address is copied',
  confirm_service_account_off: (tasks: number) =>
    `Remove the service account from all tasks? ${tasks === 1 ? 'One sync task names it' : `${formatted(tasks)} sync tasks name it`}. Runs that have no other account to use fail at their next request.`,
  service_account_allowed: 'Tasks may use the service account now',
  service_account_forbidden: 'Tasks may no longer use the service account',
  save_service_account_failed: 'Failed to change who may use the service account',
  grant_shared: 'Colleagues’ tasks may use your account now',
  grant_withdrawn: 'Colleagues’ tasks may no longer use your account',
  share_grant_failed: 'Failed to change who may use your account',
  confirm_disable_user: (name: string, tasks: number) =>
    `Disable ${name}? All sessions and the Google access end at once.${tasks === 0 ? '' : ` ${formatted(tasks)} sync ${tasks === 1 ? 'task runs' : 'tasks run'} with this account.`}`,
  user_disabled: (name: string) => `${name} may no longer sign in`,
  user_enabled: (name: string) => `${name} may sign in again`,
  disable_user_failed: 'Failed to change who may sign in',
} as const
