/** Texts of the settings of folders. */
export const folderMessages = {
  title: 'Folders',
  hint: 'Folders of files on the server, as FILES_FOLDERS names them. A folder can be limited to some people: only they can choose its files, and only tasks that run in their name read or write them.',
  admins_only: 'Administrators say who may use which folder of files.',
  load_failed: 'Failed to load the folders',
  loading: 'Loading folders',
  everybody: 'All users',
  read_only: 'Read',
  writable: 'Read and write',
  edit: (folder: string) => `Edit who may use ${folder}`,
  people_of: (folder: string) => `Who may use ${folder}`,
  people: 'Only these people',
  people_hint: 'Blank: all users. Tasks of other people that read this folder fail with the reason.',
  nobody_found: 'No user with this name',
  saved: (folder: string) => `Saved who may use ${folder}`,
  save_failed: 'Failed to save who may use the folder',
} as const
