import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { SteadyButton } from './steady-button.tsx'

/** The look of the component kit; colours that are ours live in theme.css. */
export const theme = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  primaryColor: 'indigo',
  primaryShade: 7,
  // the kit's dark greys, on the way from our text to our page
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
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  // named, not imported: the first load carries only the components that it shows
  components: {
    ActionIcon: { defaultProps: { component: SteadyButton, variant: 'subtle', color: 'gray', size: 32 } },
    // the kit centres the loader by its transition alone, which those who want less motion do not get
    Button: {
      defaultProps: { component: SteadyButton, size: 'sm' },
      styles: { loader: { transform: 'translate(-50%, -50%)' } },
    },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-end', width: 210 } },
    Modal: { defaultProps: { overlayProps: { backgroundOpacity: 0.55 } } },
    // a list that opens by itself would hide what is said about the field
    Autocomplete: { defaultProps: { openOnFocus: false } },
    // within the page's landmarks; see app-shell.tsx
    Portal: { defaultProps: { target: '#overlays' } },
    // a number out of range is told, not made another one
    NumberInput: { defaultProps: { clampBehavior: 'none' } },
    Select: { defaultProps: { checkIconPosition: 'right', openOnFocus: false } },
    TagsInput: { defaultProps: { openOnFocus: false } },
  },
})

/** Points the kit's own variables at ours. */
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
