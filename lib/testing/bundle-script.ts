import { rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { SERVER_BUNDLE } from '../../scripts/steps/server-bundle.mjs'

const FOLDER = resolve('node_modules/.cache/engine-tests')

/** WebAssembly is compiled once, without optimisation, which a short-lived process does not need. */
export const QUICK_START = ['--liftoff-only']

/**
 * Bundles a script of this repository with its imports from it into one file, and returns its path.
 * A process starts twice as fast from it as from hundreds of files that are compiled one by one.
 */
export const bundleScript = (script: string): Promise<string> =>
  bundle(script, {
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })

/** The same of one that handles requests, with its packages, as the server is built. */
export const bundleServer = (script: string): Promise<string> => bundle(script, SERVER_BUNDLE)

// On `globalThis`: this module is evaluated again for each test file, and many of a worker start the same script.
const shared = globalThis as typeof globalThis & { __engineBundles?: Map<string, Promise<string>> }
shared.__engineBundles ??= new Map()
const bundles = shared.__engineBundles

function bundle(script: string, options: BuildOptions): Promise<string> {
  const made = bundles.get(script) ?? makeBundle(script, options)
  bundles.set(script, made)
  return made
}

async function makeBundle(script: string, options: BuildOptions): Promise<string> {
  const outfile = join(FOLDER, `${basename(script, '.ts')}-${process.pid}.mjs`)
  process.once('exit', () => rmSync(outfile, { force: true }))
  await build({ ...options, entryPoints: [script], outfile, bundle: true })
  return outfile
}
