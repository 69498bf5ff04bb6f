/** Texts of how a list of tasks is shown. */
export const listDisplayMessages = {
  display: 'Groups and density',
  group_by: 'Group by',
  groups: { type: 'Type', owner: 'Owner', tag: 'Tag' },
  rows: 'Rows',
  comfortable: 'Comfortable',
  dense: 'Dense',
  no_owner: 'Without an owner',
  no_tag: 'Without a tag',
} as const
