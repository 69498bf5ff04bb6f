/** Texts of saved views. */
export const savedViewMessages = {
  views: 'Views',
  chosen: (name: string) => `View: ${name}`,
  menu: 'Saved views',
  own: 'My views',
  shared: 'Shared by others',
  none_yet: 'No saved views yet',
  none_yet_hint: 'Set filters, then save them under a name.',
  by: (owner: string) => `by ${owner}`,
  shared_mark: 'shared',
  save: 'Save these filters…',
  save_title: 'Save view',
  save_button: 'Save',
  replace_button: 'Replace',
  nothing_to_save: 'No filter is set',
  manage: 'Manage views…',
  manage_title: 'Manage views',
  share: 'Share with all users',
  shared_switch: (name: string) => `${name} is shared with all users`,
  replaces: (name: string) => `You have a view “${name}” already. Saving replaces its filters.`,
  saved: (name: string) => `View “${name}” is saved`,
  renamed: (name: string) => `The view is now called “${name}”`,
  rename: 'Rename',
  rename_of: (name: string) => `New name of ${name}`,
  delete_of: (name: string) => `Delete ${name}`,
  confirm_delete: (name: string, is_shared: boolean) =>
    is_shared
      ? `Delete the view “${name}” for all users? Tasks and runs are not changed.`
      : `Delete the view “${name}”? Tasks and runs are not changed.`,
  deleted: 'View deleted',
  delete_failed: 'Failed to delete the view',
  save_failed: 'Failed to save the view',
  load_failed: 'Failed to load the saved views.',

  removed: (name: string) => `View “${name}” is deleted`,

  // refusals
  unknown: (name: string) =>
    `Unknown view "${name}", or it belongs to another user. The views: rowferry views`,
  several: (name: string, lists: readonly string[]) =>
    `The lists ${lists.join(', ')} each have a view "${name}". Choose one with --list.`,
  several_owners: (name: string) =>
    `Several users share a view "${name}". Delete it under Manage views on the page of its list.`,
  gone: 'Saved view not found.',
  name_taken: 'You have a view of this name for this list already. Choose another name.',
  too_many: 'You have 200 saved views already. Delete some first.',
  not_owner: 'Only its owner or an administrator may change a shared view.',
  query_long: 'The filters are longer than 2,000 characters. Choose fewer.',
  query_invalid: 'Filters are query parameters such as status=Error&q=prices, percent-encoded.',
} as const
