/** Limits of tokens; separate, so that only their screen loads them. */
export const tokenLimits = {
  days_default: 90,
  days_max: 365,
  per_person: 50,
} as const
