import { existsSync, renameSync, rmSync } from 'node:fs'
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

/** The workers of a run have one parent: what one of them has bundled serves the others. */
async function makeBundle(script: string, options: BuildOptions): Promise<string> {
  const outfile = join(folderOf(process.ppid), `${basename(script, '.ts')}.mjs`)
  if (existsSync(outfile)) return outfile
  const draft = `${outfile}.${process.pid}.mjs`
  await build({ ...options, entryPoints: [script], outfile: draft, bundle: true })
  renameSync(draft, outfile) // complete, for a worker that finds it at the same time
  return outfile
}

const folderOf = (run: number): string => join(FOLDER, String(run))

/** Of a run, by the parent of its workers. */
export const removeBundles = (): void =>
  rmSync(folderOf(process.pid), { recursive: true, force: true })
