/** Texts of the checks that fields of several calls share. */
export const fieldMessages = {
  // adding and editing
  config_required: 'Please select a Compiler Configuration for internal source tasks.',
  name_required: 'Name is required',
  name_too_long: 'Name must be at most 100 characters',
  name_invisible: 'Name must not contain control or invisible characters',
  spreadsheet_id_short: 'Spreadsheet ID looks too short',
  spreadsheet_id_invalid: 'Spreadsheet ID may only contain letters, digits, _ and -',
  source_spreadsheet_required: 'Source Spreadsheet ID required',
  sheet_name_required: 'Sheet name is required',
  sheet_name_control: 'Sheet name must not contain control characters',
  sheet_name_too_long: 'Sheet name must be at most 100 characters',
  whole_number: (min: number, max: number) => `Must be a whole number from ${min} to ${max}`,
  time_invalid: 'Please enter a valid time in HH:MM format (24-hour)',
  time_duplicate: 'This time is already scheduled',
  times_too_many: 'A day has 1440 minutes: there are too many times',

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
