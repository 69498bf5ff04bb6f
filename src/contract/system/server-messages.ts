import { quoted } from '../quoted.ts'

/** What the server answers to any call. */
export const systemServerMessages = {
  host_unknown: (host: string) =>
    `Nothing is answered here under the name “${quoted(host)}”. Use the address of Rowferry that PUBLIC_URL says.`,

  // replies that are owed
  streams_taken: (open: number) =>
    `${open} live streams of yours are open, in all browsers and programs together, and there is no place for another one now. ` +
    'Close some of them, or try again in 15 seconds.',
  waits_taken: (open: number) =>
    `${open} calls of yours wait for a run, with all your sessions and tokens together, and there is no place for another one now. ` +
    'Try again in 15 seconds, or call without `wait`.',
} as const
