/**
 * Bundles `server.ts` to `dist/`: a process starts several times as fast from a few files as from
 * thousands. Packages that Next leaves alone are left alone here too.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import nextConfig from '../next.config.mjs'
import { ROOT } from './steps/run.mjs'

/**
 * Default imports as Next bundles them: esbuild lets those of a package with `"type": "module"` be
 * a whole CommonJS module, as Node does, unless it learns the path from a plugin.
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

const outdir = join(ROOT, 'dist')
rmSync(outdir, { recursive: true, force: true })
await build({
  absWorkingDir: ROOT,
  entryPoints: { server: 'server.ts' },
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  mainFields: ['module', 'main'], // the main file of jsonc-parser can't be bundled
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  sourcemap: true,
  minifyWhitespace: true, // names stay, for stack traces
  minifySyntax: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  external: ['next', 'next/*', '@next/env', ...(nextConfig.serverExternalPackages ?? [])],
  alias: { 'server-only': './node_modules/server-only/empty.js' },
  inject: ['lib/server/fast-response.ts'],
  plugins: [defaultImports],
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
})
