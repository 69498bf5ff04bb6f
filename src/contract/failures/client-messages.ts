import { formatted } from '../counted.ts'

/** Texts that say who works on a failure, or has acknowledged or snoozed it. */
export const failureMessages = {
  claimed: (name: string, since: string) => `${name} is on it since ${since}`,
  claimed_some: (name: string, count: number, since: string) =>
    `${name} is on ${formatted(count)} of them since ${since}`,
  acknowledged: (name: string, at: string) => `Acknowledged by ${name}, ${at}`,
  snoozed: (name: string, until: string) => `Snoozed until ${until} by ${name}`,
  marked: (acknowledged: number, snoozed: number) =>
    [
      acknowledged > 0 ? `${formatted(acknowledged)} acknowledged` : '',
      snoozed > 0 ? `${formatted(snoozed)} snoozed` : '',
    ]
      .filter(Boolean)
      .join(', '),
} as const
