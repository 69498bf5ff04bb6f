/** Messages of the server about users. */
export const userServerMessages = {
  // users
  disable_yourself: 'You cannot disable yourself.',
} as const
