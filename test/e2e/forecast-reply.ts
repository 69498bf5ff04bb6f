/** A time by which something has to be ready, as the server sends it. */
export const forecast = (fields: object = {}) => ({
  ...{ kind: 'type', id: 3, spreadsheet_id: null, name: 'Shops', category: 'sync', ready_by: '07:00' },
  ...{ forecast_at: '2050-01-10T09:00:00.000Z', deadline: '2050-01-10T12:00:00.000Z' },
  ...{ ready_at: '2050-01-10T11:41:00.000Z', ready_at_worst: '2050-01-10T11:58:00.000Z' },
  ...{ is_late: false, is_ready: false, reason: '', suggestion: '', moves: [] },
  ...{ late_task_ids: [], overdue_task_ids: [] },
  ...{ tasks: 2, measured_tasks: 2, measured_runs: 14 },
  ...fields,
})

/** One that will be missed, with a suggestion. */
export const lateForecast = () =>
  forecast({
    ready_at: '2050-01-10T12:09:00.000Z',
    is_late: true,
    reason: '2 runs will end 9 minutes late, at 07:09: waiting 9 minutes for the quota.',
    suggestion: 'Move these 2 to 05:10.',
    moves: [{ ids: [1, 2], scheduled_times: ['05:10'] }],
  })
