import { formatted } from '../counted.ts'

/** Messages of the server about sync presets. */
export const presetServerMessages = {
  // presets
  preset_name_taken: 'A preset with this name already exists. Please use a different name.',
  preset_decides: (n: number) =>
    `${n === 1 ? 'A task that runs with a colleague’s account uses' : `${formatted(n)} tasks that run with colleagues’ accounts use`} this preset and would copy more columns. Save your list as a new preset.`,
  preset_in_use: (n: number) => `This preset is used by ${formatted(n)} ${n === 1 ? 'task' : 'tasks'}.`,
} as const
