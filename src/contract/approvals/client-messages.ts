import { formatted } from '../counted.ts'
import type { ApprovalKind } from './calls.ts'

/** Texts of approvals on pages. */
export const approvalMessages = {
  title: 'Needs approval',
  kinds: {
    ingest_below_minimum: 'New rows',
    columns_changed: 'Columns',
    compile_beyond_limit: 'Compile',
    run_beyond_limit: 'Limit',
    unowned_cells: 'Cells',
  } satisfies Record<ApprovalKind, string>,
  approve: {
    ingest_below_minimum: 'Accept the rows',
    columns_changed: 'Accept the columns',
    compile_beyond_limit: 'Accept the records',
    run_beyond_limit: 'Run it once',
    unowned_cells: 'Replace the cells',
  } satisfies Record<ApprovalKind, string>,
  reject: 'Reject',
  reject_hint: 'Leaves the target as it is; not listed again until a run finds something else',
  rejected: (by: string) => `Rejected by ${by}. The target stays as it is.`,
  of: (action: string, name: string) => `${action}: ${name}`,
  see: 'See what would change',
  see_columns: 'See the columns side by side',
  no_account: 'No account runs this task, so no one can decide this yet.',
  only_by: (email: string) => `Only ${email} can decide this.`,
  decisions: 'Last decisions',
  decided: (is_approved: boolean, by: string, when: string) =>
    `${is_approved ? 'Approved' : 'Rejected'} by ${by}, ${when}`,
  more: (count: number) => `and ${formatted(count)} more`,
  none: 'Nothing needs an approval.',
  failed: 'Failed to save the decision',
  load_failed: 'Failed to load what needs an approval.',
} as const
