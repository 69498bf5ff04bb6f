import { quoted } from '../quoted.ts'

/** Messages of the server for all calls. */
export const systemServerMessages = {
  host_unknown: (host: string) =>
    `Nothing is answered here under the name “${quoted(host)}”. Use the address of Rowferry that PUBLIC_URL says.`,

  // limits of open streams and waits
  streams_taken: (open: number) =>
    `You have ${open} live streams open in all browsers and programs together; no further one can be opened now. ` +
    'Close some of them, or try again in 15 seconds.',
  waits_taken: (open: number) =>
    `${open} of your calls wait for a run, in all your sessions and tokens together; no further one can wait now. ` +
    'Try again in 15 seconds, or call without `wait`.',
} as const

/** Texts about folders of files that some processes cannot open. */
export const folderStatusMessages = {
  this_api: (host: string) => `the api on ${host}`,
  lacking_worker: (name: string) => `the worker ${name}`,
  folder_missing: (folder: string, processes: string[], none_left: boolean) =>
    `The folder ‘${quoted(folder)}’ cannot be opened by ${processes.join(', ')}. ${
      none_left
        ? 'Runs that need it wait until a worker can open it.'
        : 'Other workers execute the runs that need it.'
    }`,
} as const
