/** Texts of the sign-in. */
export const authMessages = {
  // landing page, sign-in, navigation
  login_required: 'Login Required',
  login_explained: 'Sign in with your Google account to work with your sync tasks.',
} as const
