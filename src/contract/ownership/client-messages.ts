/** Texts about owner, tags and notes in lists of tasks. */
export const ownershipMessages = {
  owner: (name: string) => `Owner: ${name}`,
  tags: (tags: readonly string[]) => `Tags: ${tags.join(', ')}`,
  has_notes: 'Has notes',
  owner_label: 'Owner',
  any_owner: 'All owners',
  own: 'Me',
  nobody: 'Nobody',
  tag_label: 'Tag',
  any_tag: 'All tags',
  another_tag: 'And tag…',
  with_tag: (tag: string) => `Tag: ${tag}`,
} as const
