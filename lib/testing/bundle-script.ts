import { rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'

const FOLDER = resolve('node_modules/.cache/engine-tests')

/** WebAssembly is compiled once, without optimisation: a process that is killed soon has no use for it. */
export const QUICK_START = ['--liftoff-only']

/**
 * Makes one plain file of a script of this repository and what it imports of it, and answers its path.
 * A process starts twice as fast from it as from hundreds of files that are translated one by one.
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
