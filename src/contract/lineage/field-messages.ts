/** What is wrong with a question about a cell. */
export const lineageFieldMessages = {
  one_way: 'Name the cell by link, by task_id and row, or by compiler_config_id and sku',
  row_wanted: 'task_id and row go together',
  sku_wanted: 'compiler_config_id and sku go together',
  link_long: 'The link is too long',
} as const
