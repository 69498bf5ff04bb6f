/** What the server answers on users. */
export const userServerMessages = {
  // users
  disable_yourself: 'You cannot disable yourself.',
} as const
