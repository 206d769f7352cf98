/**
 * Bundles the authors' command to `dist/engine.mjs` and the thread that reads large files, with
 * everything that they need: they run with Node alone.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from './steps/run.mjs'

const { outputFiles } = await build({
  absWorkingDir: ROOT,
  entryPoints: {
    engine: 'bin/main.ts',
    // Below the working directory that `bin/engine.mjs` sets.
    'lib/archives/scan/scan-worker': 'lib/archives/scan/scan-worker.mjs',
  },
  outdir: 'dist',
  write: false,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  mainFields: ['module', 'main'],
  format: 'esm',
  target: 'node20',
  tsconfig: 'bin/tsconfig.json',
  minifyWhitespace: true,
  minifySyntax: true,
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
})

// Complete, for a command that starts meanwhile.
for (const { path, contents } of outputFiles) {
  const draft = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(draft, contents)
  renameSync(draft, path)
}
