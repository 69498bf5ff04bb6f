/** Texts of the home page. */
export const homeMessages = {
  // landing page, sign-in, navigation
  subtitle: 'Sync All Your SpreadSheets Data.',
  card_sync_tasks: 'Browse and manage your sync tasks.',
  card_users: 'View the team members.',
} as const
