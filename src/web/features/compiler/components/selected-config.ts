import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

const KEY = 'compiler_config_id'

/** The configuration in the URL, else the one selected last in this browser, else the first active one. */
export function chooseConfig(
  configs: readonly CompilerConfig[],
  wanted: string | null,
  stored: string | null,
): CompilerConfig | null {
  const named = (text: string | null) => configs.find(({ id }) => String(id) === text)
  return named(wanted) ?? named(stored) ?? configs.find(({ is_active }) => is_active) ?? configs[0] ?? null
}

/** Id of the configuration selected last in this browser; null if there is none. */
export const storedConfig = () => localStorage.getItem(KEY)

/** Stores the selection for the next visit. */
export const storeConfig = (id: number) => localStorage.setItem(KEY, String(id))
