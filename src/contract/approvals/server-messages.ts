import { quoted } from '../quoted.ts'

/** Texts of the server about approvals. */
export const approvalServerMessages = {
  not_found: 'Nothing of this task needs an approval. Another user may have decided already.',
  changed: 'Something else needs the approval now. Reload the list.',
  rejected: (name: string) =>
    `Rejected. ${quoted(name)} is not listed again until its runs find something else.`,
} as const
