import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Built by `vite build sandbox/page`; the sandbox itself serves the result.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Older targets make the build rewrite light-dark() wrongly.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
})
