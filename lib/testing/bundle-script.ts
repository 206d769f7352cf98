import { rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'

const FOLDER = resolve('node_modules/.cache/engine-tests')

/** WebAssembly is compiled once, without optimisation, which a short-lived process does not need. */
export const QUICK_START = ['--liftoff-only']

/**
 * Bundles a script of this repository with its imports from it into one file, and returns its path.
 * A process starts twice as fast from it as from hundreds of files that are compiled one by one.
 */
export async function bundleScript(script: string): Promise<string> {
  const outfile = join(FOLDER, `${basename(script, '.ts')}-${process.pid}.mjs`)
  process.once('exit', () => rmSync(outfile, { force: true }))
  await build({
    entryPoints: [script],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // It throws outside a React Server build.
    alias: { 'server-only': './node_modules/server-only/empty.js' },
  })
  return outfile
}
