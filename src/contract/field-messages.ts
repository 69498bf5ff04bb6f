/** Validation messages that several calls share. */
export const fieldMessages = {
  // adding and editing
  config_required: 'Please select a Compiler Configuration for internal source tasks.',
  name_required: 'Name is required',
  name_too_long: 'Name must be at most 100 characters',
  name_invisible: 'Name must not contain control or invisible characters',
  spreadsheet_id_short: 'Spreadsheet ID looks too short',
  spreadsheet_id_invalid: 'Spreadsheet ID may only contain letters, digits, _ and -',
  file_path_invalid:
    'A file is given as its folder and path, such as Suppliers/prices.xlsx, without : and backslashes',
  upload_of_source_tasks:
    'Uploaded files are read by source tasks. Choose a Google spreadsheet or a file in a folder.',
  file_path_long: 'A path must be at most 500 characters',
  provider_differs: (provider: string) =>
    `This spreadsheet is one of the provider ${provider}: paths of files have a slash, ids of Google Sheets have none`,
  source_spreadsheet_required: 'Source Spreadsheet ID required',
  sheet_name_required: 'Sheet name is required',
  sheet_name_control: 'Sheet name must not contain control characters',
  sheet_name_too_long: 'Sheet name must be at most 100 characters',
  whole_number: (min: number, max: number) => `Must be a whole number from ${min} to ${max}`,
  time_invalid: 'Please enter a valid time in HH:MM format (24-hour)',
  time_duplicate: 'This time is already scheduled',
  run_all_nothing: 'Send scheduled_times, is_paused or both',
  times_too_many: 'A day has 1440 minutes: there are too many times',

  // owner, notes and tags
  tag_required: 'A tag must not be blank',
  tag_long: 'A tag must be at most 40 characters',
  tag_characters: 'A tag must not contain commas, control or invisible characters',
  tags_many: 'A task can have at most 20 tags',
  notes_long: 'Notes must be at most 10,000 characters',

  // sync task types
  concurrent_minimum: 'Allowed concurrent tasks must be at least 1',
  dependencies_many: 'Maximum of 10 dependencies allowed',
  dependency_twice: 'This task type is already selected as a dependency',
  description_long: 'Description must be 512 characters or less',
  group_name_long: 'Group name must be 100 characters or less',
  text_control: 'This text holds a control character',
  cron_long: 'A cron expression has at most 200 characters',
  order_repeats: 'The order names a task type twice',

  // presets
  field_name_required: 'A field name must not be blank',
  excluded_fields_required: 'Name at least one field to skip',
} as const
