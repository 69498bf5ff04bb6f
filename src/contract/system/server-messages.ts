import { quoted } from '../quoted.ts'

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
