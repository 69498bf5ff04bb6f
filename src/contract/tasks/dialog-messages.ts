/** Texts of menus, dialogs and task pages; separate, so that lists do not load them. */
export const taskDialogMessages = {
  // after a task was added
  run_now: 'Run now',
  open_target: 'Open target',

  // menus
  duplicate: 'Duplicate',
  copy_link: 'Copy link',
  link_copied: (name: string) => `The link to ${name} is copied`,
  link_not_copied: (address: string) => `This browser does not allow copying here. The address is ${address}`,

  // editor
  owner_hint: 'Who looks after it',
  owner_nobody: 'Nobody',
  owner_unknown: 'No user with this name',
  tags_hint: 'Enter or a comma ends a tag',
  add_tag: 'Add a tag',

  // notes
  notes: 'Notes',
  edit_notes: 'Edit notes',
  add_notes: 'Add notes',
  no_notes: 'What should colleagues know?',
  notes_hint: 'Markdown. Mention a colleague with @ and their name or mail address.',
  notes_saved: 'Notes saved',
  notes_failed: 'Failed to save the notes',
  notes_changed:
    'These notes were changed meanwhile. Copy what you need from the saved text into yours, then save.',
  notes_empty: 'The saved notes are blank.',
} as const
