import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { SteadyButton } from './steady-button.tsx'

/** Mantine theme; the project's own colours are in theme.css. */
export const theme = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  primaryColor: 'indigo',
  primaryShade: 7,
  // Mantine's dark scale, adjusted to our text and page colours.
  colors: {
    dark: [
      '#e6e8ec',
      '#bcc3cd',
      '#a3abb8',
      '#7b8494',
      '#3a3f48',
      '#2c2f36',
      '#22262b',
      '#1b1d21',
      '#131417',
      '#0d0e10',
    ],
  },
  defaultRadius: 8,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { xs: '0.78125rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  // By name, not by import: the initial load contains only the components in use.
  components: {
    ActionIcon: { defaultProps: { component: SteadyButton, variant: 'subtle', color: 'gray', size: 32 } },
    // Mantine centres the loader by its transition alone, which is disabled under prefers-reduced-motion.
    Button: {
      defaultProps: { component: SteadyButton, size: 'sm' },
      styles: { loader: { transform: 'translate(-50%, -50%)' } },
    },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-end', width: 210 } },
    Modal: { defaultProps: { overlayProps: { backgroundOpacity: 0.55 } } },
    // A list that opens on focus would cover the field's messages.
    Autocomplete: { defaultProps: { openOnFocus: false } },
    // Inside the page's landmarks; see app-shell.tsx.
    Portal: { defaultProps: { target: '#overlays' } },
    // Numbers out of range are reported, not changed.
    NumberInput: { defaultProps: { clampBehavior: 'none' } },
    Select: { defaultProps: { checkIconPosition: 'right', openOnFocus: false } },
    TagsInput: { defaultProps: { openOnFocus: false } },
  },
})

/** Maps Mantine's CSS variables to ours. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--page)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--muted)',
    '--mantine-color-placeholder': 'var(--muted)',
    '--mantine-color-error': 'var(--error-text)',
    '--mantine-color-default': 'var(--card)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-default-hover': 'var(--hover)',
  }
  return { variables: {}, light: shared, dark: shared }
}
