import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Package = {
  dev?: boolean
  optional?: boolean
  integrity?: string
  license?: string
  hasInstallScript?: boolean
}

const root = join(__dirname, '..')
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const all = Object.entries(readJson('package-lock.json').packages as Record<string, Package>)
const packages = all.filter(([path]) => path !== '')
const shipped = packages.filter(([, { dev }]) => !dev)

/** Permissive licences, and those of libraries that are used unchanged. */
const LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0', // caniuse-lite: data
  'ISC',
  'LGPL-3.0-or-later', // libvips of sharp: a library of its own, linked dynamically
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
  'Zlib',
]
/** Named in another way in their manifests, as their files say. */
const NAMED: Record<string, string> = {
  '@mapbox/jsonlint-lines-primitives': 'MIT',
  busboy: 'MIT',
  geist: 'OFL-1.1',
  streamsearch: 'MIT',
}

const nameOf = (path: string) => path.replace(/^.*node_modules\//, '')
/** Whether one of the alternatives is allowed in all its parts. */
const isAllowed = (expression: string) =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((alternative) => alternative.split(' AND ').every((one) => LICENCES.includes(one)))

/** Without the registry. */
const npm = (...args: string[]) =>
  spawnSync('npm', [...args, '--offline'], { cwd: root, encoding: 'utf8' })

describe('the lockfile', () => {
  // `npm ci` of Node 20 and 22 refuses a lockfile where an optional peer is of another version.
  test('has the versions that its packages ask for, those of optional peers too', () => {
    const { stdout } = npm('ls', '--all', '--package-lock-only', '--json')
    const problems: string[] = JSON.parse(stdout).problems ?? []
    const foreign = new Set(all.flatMap(([path, { optional }]) => (optional ? nameOf(path) : [])))
    const named = problems.map((text) => text.replace(/^invalid: (@?[^@]+)@.*$/, '$1'))
    expect(named.filter((name) => !foreign.has(name))).toEqual([])
  }, 60_000)

  test('installs on this Node without a warning of an engine', () => {
    const { status, stderr } = npm('ci', '--dry-run', '--engine-strict')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  }, 60_000)

  test('has a hash for every package', () => {
    const without = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
    expect(without.map(([path]) => path)).toEqual([])
  })

  test('has no package with an install script but esbuild, which works without it', () => {
    const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript)
    expect([...new Set(scripted.map(([path]) => nameOf(path)))]).toEqual(['esbuild'])
    expect(scripted.filter(([, { dev }]) => !dev)).toEqual([])
  })

  test('has exact versions for what the project asks for', () => {
    const { dependencies, devDependencies } = readJson('package.json')
    const asked = Object.entries({ ...dependencies, ...devDependencies })
    expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+/.test(String(version)))).toEqual([])
  })

  test('has allowed licences for what is shipped', () => {
    const refused = shipped.filter(
      ([path, { license }]) => !isAllowed(NAMED[nameOf(path)] ?? license ?? 'none'),
    )
    expect(refused.map(([path, { license }]) => `${nameOf(path)}: ${license}`)).toEqual([])
  })
})
