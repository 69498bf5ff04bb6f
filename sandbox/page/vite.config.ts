import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Built with `vite build sandbox/page` and served by the sandbox.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // For older targets, the build transforms light-dark() incorrectly.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
})
