/** Texts of the sync preset screens. */
export const presetMessages = {
  // presets
  preset_not_found: 'Sync preset not found.',
  no_presets: 'No sync presets yet',
  no_presets_hint: 'A preset lists fields that a copy skips.',
  add_preset: 'Add Sync Preset',
  edit_preset: 'Edit Sync Preset',
  preset_added: 'Sync preset added',
  preset_updated: 'Sync preset updated',
  preset_deleted: 'Sync preset deleted',
  save_preset_failed: 'Failed to save sync preset',
  delete_preset_failed: 'Failed to delete sync preset',
  confirm_delete_preset: (name: string) =>
    `Delete the preset “${name}”? Its list of fields is lost; no copied data changes.`,
} as const
