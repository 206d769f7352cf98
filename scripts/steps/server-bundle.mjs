import nextConfig from '../../next.config.mjs'
import { ROOT } from './run.mjs'

/**
 * Default imports as Next bundles them: esbuild lets those of a package with `"type": "module"` be
 * a whole CommonJS module, as Node does, unless it learns the path from a plugin.
 * @type {import('esbuild').Plugin}
 */
const defaultImports = {
  name: 'default imports',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^(@\/|\.)/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === 'resolved' || importer.includes('node_modules')) return null
      const found = await resolve(path, { importer, resolveDir, kind, pluginData: 'resolved' })
      return found.errors.length > 0 ? found : { path: found.path, sideEffects: found.sideEffects }
    })
  },
}

/**
 * How what handles requests is bundled. Packages that Next leaves alone are left alone here too.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const SERVER_BUNDLE = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  mainFields: ['module', 'main'], // the main file of jsonc-parser can't be bundled
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  external: ['next', 'next/*', '@next/env', ...(nextConfig.serverExternalPackages ?? [])],
  inject: ['lib/server/fast-response.ts'],
  plugins: [defaultImports],
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
}
