import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installDebianPackage, upgradeDebianPackage } from './debian.mjs'
import { ROOT } from './run.mjs'
import { findBinaries, freePort } from './throwaway-postgres.mjs'
import { makeWorkFolder } from './work-folder.mjs'

/** Debian has no package of Citus: this script brings a build of it, beside the project's folder. */
const SCRIPT = join(ROOT, '../shared/citus/start-cluster.sh')

/** Why no cluster can be started on this machine, or null. */
export function whyNoCitus() {
  if (process.getuid?.() !== 0) return 'starting a cluster needs root'
  return existsSync(SCRIPT) ? null : `there is no ${SCRIPT}`
}

/**
 * Starts a coordinator and two workers in a temporary folder and on free ports; `inMemory` keeps their data off the disk if there is
 * room. Returns the coordinator's address,
 * the folders of the nodes' data (the coordinator's first), and a function that stops and removes them.
 * Throws with what PostgreSQL said. @param {{ inMemory?: boolean }} [options]
 */
export async function startThrowawayCitus({ inMemory = false } = {}) {
  if (!findBinaries()) await installDebianPackage('postgresql')
  const folder = makeWorkFolder('engine-citus-', { inMemory })
  chmodSync(folder, 0o755)
  const stop = () => {
    process.removeListener('exit', stop)
    execFileSync(SCRIPT, ['--stop', folder], { stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  const start = async () =>
    execFileSync(SCRIPT, [folder, String(await freePort())], { encoding: 'utf8' }).trim()
  // An older server than that for which Citus was compiled lacks symbols of it.
  const upgradeAndStart = async () => {
    await upgradeDebianPackage('postgresql-15')
    return start()
  }
  // Elsewhere, the servers of a machine are its owner's to upgrade.
  const url = await (process.env.CI === 'true' ? start().catch(upgradeAndStart) : start())
  return { url, nodes: [0, 1, 2].map((node) => join(folder, `node-${node}`)), stop }
}
