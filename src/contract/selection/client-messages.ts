import { formatted } from '../counted.ts'

const tasks = (n: number) => `${formatted(n)} ${n === 1 ? 'task' : 'tasks'}`

/** Texts of the checkboxes that select tasks in a list. */
export const selectionMessages = {
  select: (name: string) => `Select ${name}`,
  select_group: (count: number, group: string) =>
    `Select ${count === 1 ? 'the task' : tasks(count)} of ${group}`,
  select_all: (count: number) => (count === 1 ? 'Select the task' : `Select all ${tasks(count)}`),
  select_matching: (count: number) =>
    count === 1 ? 'Select the one that matches' : `Select all ${formatted(count)} that match`,
  select_loaded: (count: number) =>
    count === 1 ? 'Select the loaded task' : `Select the ${formatted(count)} loaded tasks`,
} as const
