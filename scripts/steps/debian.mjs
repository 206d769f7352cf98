import { existsSync } from 'node:fs'
import { run } from './run.mjs'

const NONINTERACTIVE = { DEBIAN_FRONTEND: 'noninteractive' }

/** Brings an installed Debian package to its newest version, under the same conditions. */
export async function upgradeDebianPackage(name) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  await run('apt-get', ['update', '-q'], { env: NONINTERACTIVE, quiet: true })
  await installDebianPackage(name)
}

/** Installs a Debian package where that is possible without a prompt: as root, with apt-get. */
export async function installDebianPackage(name) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  process.stdout.write(`Installing ${name} (apt-get)\n`)
  const install = ['install', '-y', '-q', '--no-install-recommends', name]
  const options = { env: NONINTERACTIVE, quiet: true }
  if ((await run('apt-get', install, options)) === 0) return
  await run('apt-get', ['update', '-q'], options)
  await run('apt-get', install, options)
}
